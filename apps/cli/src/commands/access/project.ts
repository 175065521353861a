import type { JoinView, ProjectView } from "@chest/contracts";
import { alikeHint, DESK_FIELDS } from "@chest/core/access";
import { withAccessAdmin } from "../../connect/access-admin.ts";
import { readConfig } from "../../connect/config.ts";
import { commandGroup, reachingCommand } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { UsageError } from "../../terminal/usage.ts";

const list = reachingCommand({
  meta: { name: "list", description: "List the projects, and who may open them" },
  async run(args, { env, output }) {
    const projects = await withAccessAdmin(readConfig(env, args), (admin) => admin.listProjects());
    if (projects.length === 0) output.say("there are no projects yet: the first memory of a project creates it");
    output.rows(projects.map(cellsOf));
    for (const { key, similar: [older] = [] } of projects)
      if (older !== undefined) output.hint(alikeHint(key, older, { isThere: true }));
    output.document(projects);
  },
});

const OPENED = someFlags(DESK_FIELDS.setProject, {
  access: { flag: "to", words: "`open` or `members`; unchanged without it", hint: "open|members" },
  add: { words: "Members to add", hint: "name,…" },
  remove: { words: "Members to remove", hint: "name,…" },
});

const access = reachingCommand({
  meta: { name: "access", description: "Open a project to everyone, or to some members only" },
  args: {
    key: { type: "positional", description: "The project's key", required: true },
    ...OPENED.args,
  },
  async run(args, { env, output }) {
    const change = OPENED.read(args);
    if (Object.keys(change).length === 0) {
      throw new UsageError(
        "`project access` needs a change",
        "pass `--to members`, `--to open`, `--add` or `--remove`",
      );
    }
    const input = { key: args.key, ...change };
    const project = await withAccessAdmin(readConfig(env, args), (admin) => admin.setProject(input));
    output.rows([cellsOf(project)]);
    if (project.is_new) output.say("no agent has written to it yet: `chest-index project list` shows the keys in use");
    output.document(project);
  },
});

const merge = { words: "If the other key is a project too, join both, as `project join` does" };
const RENAMED = someFlags(DESK_FIELDS.setProject, { merge });
const ALIASED = someFlags(DESK_FIELDS.setProject, {
  add_aliases: { flag: "add", words: "Keys to add", hint: "key,…" },
  remove_aliases: { flag: "remove", words: "Keys to remove", hint: "key,…" },
  merge,
});

const rename = reachingCommand({
  meta: { name: "rename", description: "Give a project another key; the old one becomes an alias" },
  args: {
    key: { type: "positional", description: "The project's key", required: true },
    to: { type: "positional", description: "The new key", required: true },
    ...RENAMED.args,
  },
  async run(args, { env, output }) {
    const input = { key: args.key, rename: args.to, ...RENAMED.read(args) };
    const project = await withAccessAdmin(readConfig(env, args), (admin) => admin.setProject(input));
    output.rows([cellsOf(project)]);
    output.document(project);
  },
});

const alias = reachingCommand({
  meta: { name: "alias", description: "Add aliases to a project: keys of a fork, or of a moved repository" },
  args: {
    key: { type: "positional", description: "The project's key", required: true },
    ...ALIASED.args,
  },
  async run(args, { env, output }) {
    const change = ALIASED.read(args);
    if (change.add_aliases === undefined && change.remove_aliases === undefined) {
      throw new UsageError("`project alias` needs a key to add or remove", "pass `--add KEY` or `--remove KEY`");
    }
    const input = { key: args.key, ...change };
    const project = await withAccessAdmin(readConfig(env, args), (admin) => admin.setProject(input));
    output.rows([cellsOf(project)]);
    output.document(project);
  },
});

const DONE = someFlags(DESK_FIELDS.joinProjects, { confirm: { flag: "yes", words: "Do it" } });

const join = reachingCommand({
  meta: {
    name: "join",
    description:
      "Join a project to another, so that `project split` can undo it; without --yes, only say what that does",
  },
  args: {
    key: { type: "positional", description: "The project that is joined to the other", required: true },
    into: { type: "positional", description: "The project that takes its memories", required: true },
    ...DONE.args,
  },
  async run(args, { env, output }) {
    const input = { key: args.key, into: args.into, ...DONE.read(args) };
    const done = await withAccessAdmin(readConfig(env, args), (admin) => admin.joinProjects(input));
    if (done.confirmed) output.say(`${movesOf(done)} of ${done.key} lie in ${done.into} now\n${opennessOf(done)}`);
    else output.say(`${movesOf(done)} of ${done.key} would lie in ${done.into}\n${opennessOf(done)}\n${NOTHING_DONE}`);
    output.document(done);
  },
});

const split = reachingCommand({
  meta: {
    name: "split",
    description: "Take a project out of the one it was joined to; without --yes, only say what that does",
  },
  args: {
    key: { type: "positional", description: "The key that it had before", required: true },
    ...DONE.args,
  },
  async run(args, { env, output }) {
    const input = { key: args.key, ...DONE.read(args) };
    const done = await withAccessAdmin(readConfig(env, args), (admin) => admin.splitProject(input));
    if (done.confirmed) output.say(`${movesOf(done)} of ${done.into} lie in ${done.key} again\n${opennessOf(done)}`);
    else
      output.say(
        `${movesOf(done)} of ${done.into} would lie in ${done.key} again\n${opennessOf(done)}\n${NOTHING_DONE}`,
      );
    output.document(done);
  },
});

const NOTHING_DONE = "nothing was done; pass --yes to do it";

const movesOf = ({ moves: { memories, sessions, tasks, gaps } }: JoinView): string =>
  [
    counted(memories, "memory", "memories"),
    counted(sessions, "session"),
    counted(tasks, "task"),
    `and ${counted(gaps, "unanswered question")}`,
  ].join(", ");

const opennessOf = ({ access, members = [] }: JoinView): string =>
  access === "open"
    ? "both are open to every member"
    : `what is closed stays closed: open to ${members.join(", ") || "nobody yet"} alone`;

export const project = commandGroup({
  meta: { name: "project", description: "Projects, their keys, and who may open them" },
  subCommands: { list, access, rename, alias, join, split },
});

function cellsOf({ key, access, members, aliases = [] }: ProjectView): string[] {
  const open = access === "open" ? ["open", ""] : ["members", members?.join(",") || "nobody yet"];
  return [key, ...open, aliases.length > 0 ? `also ${aliases.join(", ")}` : ""];
}
