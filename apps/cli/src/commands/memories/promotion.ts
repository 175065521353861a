import { updateMemory } from "@chest/core/tools";
import { readProject } from "@chest/files/project";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { commandGroup, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { readIds } from "../../terminal/usage.ts";

const FLAGS = someFlags(updateMemory.input, { reason: { words: "Why, kept in the history of each", hint: "text" } });

/** Defines a command with which an admin approves or declines memories that wait to become visible to the team. */
const promotionCommand = (how: "approve" | "decline", description: string, done: string) =>
  reachingCommand({
    meta: { name: how, description },
    args: {
      ids: { type: "positional", description: "Ids of memories, separated by commas", required: true },
      ...FLAGS.args,
    },
    async run(args, { env, output }) {
      const ids = readIds(args.ids);
      const answers = await atWorkbench(readConfig(env, args), readProject(process.cwd(), env), async ({ execute }) => {
        const settled = [];
        for (const memory_id of ids)
          settled.push(await execute("chest_update_memory", { memory_id, promotion: how, ...FLAGS.read(args) }));
        return { settled };
      });
      for (const id of ids) output.say(`${id} ${done}`);
      output.document(answers);
    },
  });

export const promotion = commandGroup({
  meta: {
    name: "promotion",
    description: "Memories that wait for the team: approve, decline; `inspect promotions` lists them",
  },
  subCommands: {
    approve: promotionCommand("approve", "Let the team see memories that wait for it", "is the team's"),
    decline: promotionCommand("decline", "Leave memories that wait for the team where they are", "stays where it is"),
  },
});
