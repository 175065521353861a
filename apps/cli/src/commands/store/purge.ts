import { endpoints, type PurgeView } from "@chest/contracts";
import { purgeFor, RECORD_FIELDS } from "@chest/core/access";
import { operatorHere } from "../../connect/access-admin.ts";
import { withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { readIds, UsageError } from "../../terminal/usage.ts";

const FLAGS = someFlags(RECORD_FIELDS.purge, {
  member: { words: "All that this member wrote", hint: "name" },
  private_only: { flag: "private", words: "With --member, only what it alone may read" },
  session: { words: "All that was written in this session", hint: "id" },
  confirm: { flag: "yes", words: "Do it: this cannot be undone" },
});

export const purge = reachingCommand({
  meta: { name: "purge", description: "Delete memories for good; without --yes, show which" },
  args: {
    id: { type: "string", description: "These memories", valueHint: "id,…" },
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const { id, member, session } = args;
    if ([id, member, session].filter((each) => each !== undefined).length !== 1) {
      throw new UsageError("nothing to purge was named", "pass one of `--id N,…`, `--member NAME`, `--session ID`");
    }
    const request = { ...(id === undefined ? {} : { ids: readIds(id) }), ...FLAGS.read(args) };
    const receipt = await output.working("purging", () => purged(readConfig(env, args), request));
    say(output, receipt);
    output.document(receipt);
    return receipt.log_clean === false || receipt.backups_with_copies.length > 0 ? 1 : 0;
  },
});

async function purged(config: Config, request: object): Promise<PurgeView> {
  if (config.remote) return withBackend(config.remote, (backend) => backend.call(endpoints.purge, { body: request }));
  return withStore(config, ({ purger }) => purgeFor(purger, operatorHere(), request));
}

function say(output: Output, receipt: PurgeView): void {
  const { confirmed, purged, derived, backups_with_copies, log_clean, copies_kept_by: keepers } = receipt;
  const ids = purged.length > 0 ? `: ${purged.join(", ")}` : "";
  const which = `${counted(purged.length, "memory", "memories")}${ids}`;
  if (!confirmed) {
    output.say(`would purge ${which}\nnothing was done; pass --yes to do it`);
    return;
  }
  output.say(`purged ${which}`);
  if (derived.length > 0) output.say(`derived from them and still there: ${derived.join(", ")}`);
  for (const file of backups_with_copies) output.show(`still in the copy ${file}: delete it; a backup also ages out`);
  if (keepers) output.say(`copies remain until they expire, in ${keepers.join("; ")}`);
  else if (log_clean === false) output.say("another process keeps the database's log: run this again when it is idle");
}
