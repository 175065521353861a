import { type AuditEntryView, endpoints } from "@chest/contracts";
import { RECORD_FIELDS, readAudit } from "@chest/core/access";
import { textsOf, withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const FLAGS = someFlags(RECORD_FIELDS.audit, {
  member: { words: "Only what this member did", hint: "name" },
  op: { words: "Only this operation, such as `chest_forget` or `token.revoke`", hint: "name" },
  memory_id: { flag: "memory", words: "Only what was done to this memory", hint: "id" },
  since: { words: "Only from this time on", hint: "2026-11-21T12:00:00Z" },
  before: { words: "Only rows older than this one: the next page", hint: "seq" },
  limit: { words: "How many rows: 100 by default, at most 1000", hint: "n" },
});

export const audit = reachingCommand({
  meta: { name: "audit", description: "Who did what, newest first: ids and times, no content" },
  args: {
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const entries = await entriesOf(readConfig(env, args), FLAGS.read(args));
    if (entries.length === 0) output.say("nothing found");
    output.rows(entries.map(cellsOf));
    output.document(entries);
  },
});

async function entriesOf(config: Config, filter: object): Promise<AuditEntryView[]> {
  if (!config.remote) return withStore(config, ({ audit: log }) => readAudit(log, filter));
  return withBackend(
    config.remote,
    async (backend) => (await backend.call(endpoints.audit, { query: textsOf(filter) })).entries,
  );
}

function cellsOf({ seq, at, member, token_id, op, outcome, memory_ids, subject, times }: AuditEntryView): string[] {
  const who = `${member ?? "nobody"}${token_id === null ? "" : ` (token ${token_id})`}`;
  const about = [...(memory_ids.length > 0 ? [`memories ${memory_ids.join(",")}`] : []), ...(subject ? [subject] : [])];
  return [`${seq}`, at, who, op, outcome, about.join("  "), times > 1 ? `${times} times` : ""];
}
