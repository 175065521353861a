import { updateMemory } from "@chest/core/tools";
import { readProject } from "@chest/files/project";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { PROJECT_HERE, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { readIds, UsageError } from "../../terminal/usage.ts";

const WAYS = {
  "keep-this": "keep_this",
  "keep-other": "keep_other",
  "both-hold": "both_hold",
  merge: "merge",
  different: "different",
  reopen: "reopen",
} as const;
const ways = Object.keys(WAYS).join(", ");

const FLAGS = someFlags(updateMemory.input, { reason: { words: "Why; both-hold needs it", hint: "text" } });

export const settle = reachingCommand({
  meta: { name: "settle", description: "Settle a pair of memories that waits" },
  args: {
    id: { type: "positional", description: "Id of one memory", required: true },
    how: { type: "positional", description: `${ways}, which undoes the others`, required: true },
    against: { type: "positional", description: "Id of the other", required: true },
    ...FLAGS.args,
    ...PROJECT_HERE,
  },
  async run(args, { env, output }) {
    const [memory_id, against] = readIds(`${args.id},${args.against}`);
    if (against === undefined) throw new UsageError("a memory cannot be settled against itself", "name two memories");
    const input = { memory_id, settle: readWay(args.how), against, ...FLAGS.read(args) };
    const project = args.project ?? readProject(process.cwd(), env);
    const answer = await atWorkbench(readConfig(env, args), project, ({ execute }) =>
      execute("chest_update_memory", input),
    );
    output.say(`${memory_id} and ${against}: ${args.how}`);
    output.document(answer);
  },
});

function readWay(value: string): string {
  const name = value.replaceAll("_", "-");
  if (Object.hasOwn(WAYS, name)) return WAYS[name as keyof typeof WAYS];
  throw new UsageError(`unknown way \`${value.slice(0, 80)}\``, `use one of ${ways}`);
}
