import { SETTLEMENTS, updateMemory } from "@chest/core/tools";
import { readProject } from "@chest/files/project";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { PROJECT_HERE, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { knownWord, readIds, UsageError } from "../../terminal/usage.ts";

const WAYS = SETTLEMENTS.map((way) => way.replaceAll("_", "-"));

const FLAGS = someFlags(updateMemory.input, { reason: { words: "Why; both-hold needs it", hint: "text" } });

export const settle = reachingCommand({
  meta: { name: "settle", description: "Settle a pair of memories that waits" },
  args: {
    id: { type: "positional", description: "Id of one memory", required: true },
    how: { type: "positional", description: `${WAYS.join(", ")}, which undoes the others`, required: true },
    against: { type: "positional", description: "Id of the other", required: true },
    ...FLAGS.args,
    ...PROJECT_HERE,
  },
  async run(args, { env, output }) {
    const [memory_id, against] = readIds(`${args.id},${args.against}`);
    if (against === undefined) throw new UsageError("a memory cannot be settled against itself", "name two memories");
    const way = knownWord(args.how.replaceAll("_", "-"), WAYS, "way");
    const input = { memory_id, settle: way.replaceAll("-", "_"), against, ...FLAGS.read(args) };
    const project = args.project ?? readProject(process.cwd(), env);
    const answer = await atWorkbench(readConfig(env, args), project, ({ execute }) =>
      execute("chest_update_memory", input),
    );
    output.say(`${memory_id} and ${against}: ${args.how}`);
    output.document(answer);
  },
});
