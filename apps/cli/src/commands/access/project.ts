import type { ProjectView } from "@chest/contracts";
import { defineCommand } from "citty";
import { atDesk } from "../../connect/access-admin.ts";
import { readConfig } from "../../connect/config.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { UsageError } from "../../terminal/usage.ts";

const list = defineCommand({
  meta: { name: "list", description: "The projects, and whom they are open to" },
  args: { ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const projects = await atDesk(readConfig(env, args), (desk) => desk.listProjects());
    if (projects.length === 0) output.say("there are no projects yet: the first memory of one makes it");
    output.rows(projects.map(cellsOf));
    output.document(projects);
    return 0;
  },
});

const access = defineCommand({
  meta: { name: "access", description: "Open a project to everyone, or to some members only" },
  args: {
    key: { type: "positional", description: "The project's key", required: true },
    to: { type: "string", description: "`open` or `members`; unchanged without it", valueHint: "open|members" },
    add: { type: "string", description: "Members to let in", valueHint: "name,…" },
    remove: { type: "string", description: "Members to shut out", valueHint: "name,…" },
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { key, to, add, remove } = args;
    if (to === undefined && add === undefined && remove === undefined) {
      throw new UsageError(
        "`project access` needs a change to make",
        "pass `--to members`, `--to open`, `--add` or `--remove`",
      );
    }
    const asked = {
      key,
      ...(to === undefined ? {} : { access: to }),
      ...(add === undefined ? {} : { add: listOf(add) }),
      ...(remove === undefined ? {} : { remove: listOf(remove) }),
    };
    const project = await atDesk(readConfig(env, args), (desk) => desk.setProject(asked));
    output.rows([cellsOf(project)]);
    if (project.is_new) output.say("no agent has written to it yet: `chest-index project list` shows the keys in use");
    output.document(project);
    return 0;
  },
});

export const project = defineCommand({
  meta: { name: "project", description: "Projects, and whom they are open to" },
  args: COMMON,
  subCommands: { list, access },
});

const cellsOf = ({ key, access, members }: ProjectView): string[] =>
  access === "open" ? [key, "open"] : [key, "members", members?.join(",") || "nobody yet"];
