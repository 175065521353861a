import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { MANY, readIds } from "../../terminal/usage.ts";

interface Forgotten {
  readonly ids: readonly number[];
  readonly kept?: readonly { readonly id: number; readonly reason: string }[];
  readonly not_live?: readonly { readonly id: number; readonly state: string }[];
  readonly not_found?: readonly number[];
}

export const forget = reachingCommand({
  meta: { name: "forget", description: "Archive memories, by id; with --check, show which" },
  args: {
    ids: { type: "positional", description: "Ids, separated by blanks or commas", required: true, valueHint: MANY },
    check: { type: "boolean", description: "Say which would be archived, change nothing" },
  },
  async run(args, { env, output }) {
    const isCheck = args.check === true;
    const input = { ids: readIds(args._.join(",")), ...(isCheck ? { dry_run: true } : { confirm: true }) };
    const answer = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_forget", input));
    const { ids, kept = [], not_live: gone = [], not_found: missing = [] } = answer as unknown as Forgotten;
    for (const id of ids) output.say(`#${id} ${isCheck ? "would be archived" : "archived"}`);
    for (const { id, reason } of kept) output.say(`#${id} is protected (${reason}), and stays`);
    for (const { id, state } of gone) output.say(`#${id} is ${state} already`);
    for (const id of missing) output.say(`#${id} was not found`);
    output.document(answer);
    return kept.length + missing.length > 0 ? 1 : 0;
  },
});
