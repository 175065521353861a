import { verify as verifyTool } from "@chest/core/tools";
import { readProject } from "@chest/files/project";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { PROJECT_HERE, reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { harmless } from "../../terminal/strip-control-characters.ts";
import { readIds, UsageError } from "../../terminal/usage.ts";

interface Result {
  readonly memory_id: number;
  readonly path: string;
  readonly line?: number;
  readonly status: "ok" | "stale" | "missing" | "unknown";
  readonly message?: string;
}

const FLAGS = someFlags(verifyTool.input, {
  path: { words: "Only of this file or folder" },
  accept: { words: "They still hold: record the files as they are now", usual: "false" },
});

export const verify = reachingCommand({
  meta: {
    name: "verify",
    description: "Compare memories with the files that they come from, in this folder's repository",
  },
  args: {
    ids: {
      type: "positional",
      description: "Ids of memories, separated by commas; left out, all of the project",
      required: false,
    },
    ...FLAGS.args,
    ...PROJECT_HERE,
  },
  async run(args, { env, output }) {
    const { ids } = args;
    const asked = FLAGS.read(args);
    if (ids !== undefined && asked.path !== undefined) {
      throw new UsageError("ids and `--path` exclude each other", "give one of them");
    }
    const meant = ids === undefined ? (asked.path === undefined ? { all: true } : {}) : { ids: readIds(ids) };
    const project = args.project ?? readProject(process.cwd(), env);
    const input = { ...meant, ...asked };
    const answer = await atWorkbench(readConfig(env, args), project, ({ execute }) => execute("chest_verify", input));
    const {
      results,
      checked,
      total,
      accepted = 0,
    } = answer as {
      readonly results: readonly Result[];
      readonly checked: number;
      readonly total?: number;
      readonly accepted?: number;
    };
    const other = results.filter(({ status }) => status !== "ok");
    output.rows(
      other.map(({ status, memory_id, path: file, line, message = "" }) => [
        status,
        String(memory_id),
        harmless(line === undefined ? file : `${file}:${line}`),
        harmless(message),
      ]),
    );
    output.say(`${counted(checked, "source")} compared, ${results.length - other.length} as noted`);
    if (accepted > 0) output.say(`${accepted} noted as they are now`);
    const left = (total ?? 0) - results.length;
    if (left > 0) output.say(`${left} more: run the same command again for them`);
    output.document(answer);
    return other.some(({ status }) => status === "stale" || status === "missing") ? 2 : 0;
  },
});
