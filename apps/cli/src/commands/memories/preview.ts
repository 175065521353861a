import { previewHooks } from "@chest/core/hooks";
import type { OperationAnswer } from "@chest/core/operation";
import { readProject } from "@chest/files/project";
import { readConfig } from "../../connect/config.ts";
import { answerTo } from "../../connect/tools.ts";
import { PROJECT_HERE, reachingCommand } from "../../terminal/command-context.ts";
import { operationFlags } from "../../terminal/schema-flags.ts";
import { harmless } from "../../terminal/strip-control-characters.ts";

type Preview = OperationAnswer<typeof previewHooks>;
type Line = Preview["blocks"][number]["lines"][number];

const FLAGS = operationFlags(previewHooks, {
  member: { hint: "name" },
  memory_id: { flag: "why-not", words: "Also say why this memory is not shown", hint: "id" },
});

export const preview = reachingCommand({
  meta: {
    name: "preview",
    description: "Show what an agent would be given at a start and beside a prompt; change nothing",
  },
  args: {
    prompt: {
      type: "positional",
      description: "The prompt, in quotes; none: a session's start alone",
      required: false,
    },
    ...PROJECT_HERE,
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const project = args.project ?? readProject(process.cwd(), env);
    const body = { prompt: args._.join(" "), ...(project === undefined ? {} : { project }), ...FLAGS.read(args) };
    const found: Preview = await answerTo(readConfig(env, args), previewHooks, { body });
    for (const { moment, text, tokens, lines } of found.blocks) {
      output.say(`${moment === "start" ? "at the start of a session" : "beside the prompt"}: ${tokens} tokens`);
      for (const line of harmless(text).split("\n")) if (text !== "") output.show(line);
      for (const line of lines) if (line.memory) output.say(`memory ${line.memory.id}: ${reasonText(line)}`);
    }
    if (args._.length > 0 && !found.is_worth_asking)
      output.say("the prompt names too little for hooks to look anything up");
    if (found.why_not)
      output.say(`memory ${found.why_not.memory_id} is not shown for this reason: ${found.why_not.why}`);
    output.document(found);
  },
});

function reasonText({ reason: { kind, words, meaning }, tokens }: Line): string {
  const share = words === undefined ? "" : `, ${Math.round(words * 100)} % of the prompt's words`;
  const near = meaning === undefined ? "" : `, nearness in meaning ${meaning.toFixed(2)}`;
  return `${kind}${share}${near}, ${tokens} tokens`;
}
