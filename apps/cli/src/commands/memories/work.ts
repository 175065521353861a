import { work as workTool } from "@chest/core/tools";
import { readProject } from "@chest/files/project";
import { type Flags, readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { commandGroup, PROJECT_HERE, reachingCommand, type Shell } from "../../terminal/command-context.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

interface Item {
  readonly id: string;
  readonly ordinal: number | null;
  readonly title: string;
  readonly priority: number;
  readonly status: string;
  readonly author: string;
  readonly age_days: number;
  readonly detail?: string;
  readonly reason?: string;
  readonly memory_id?: number;
  readonly hint?: string;
}

const CLOSED = someFlags(workTool.input, { closed: { words: "List closed and dropped items instead, newest first" } });
const ADDED = someFlags(workTool.input, {
  detail: { words: "What else has to be known", hint: "text" },
  priority: { usual: "2" },
  files: { words: "Files it is about, separated by commas" },
});
const DONE = someFlags(workTool.input, {
  memory_id: { flag: "memory", words: "The memory that tells how it was done", hint: "id" },
});
const DROPPED = someFlags(workTool.input, { reason: { words: "Why it will not be done", hint: "text" } });
const ID = { type: "positional", description: "`W#17`, or its number in the list", required: true } as const;

type Place = Flags & { readonly project?: string | undefined };

/** Calls the tool like an agent in this folder. */
async function ask(args: Place, { env, output }: Shell, input: object) {
  const project = args.project ?? readProject(process.cwd(), env);
  const answer = await atWorkbench(readConfig(env, args), project, ({ execute }) => execute("chest_work", input));
  return { output, answer, items: (answer.items ?? []) as readonly Item[] };
}

const list = reachingCommand({
  meta: { name: "list", description: "Open work, the most urgent first" },
  args: {
    ...CLOSED.args,
    ...PROJECT_HERE,
  },
  async run(args, shell) {
    const asked = CLOSED.read(args);
    const { output, answer, items } = await ask(args, shell, { action: "list", ...asked });
    output.rows(items.map(cellsOf));
    if (items.length === 0) output.say(asked.closed ? "no work was closed or dropped" : "no open work");
    const rest = Number(answer.total) - items.length;
    if (rest > 0) output.say(`${rest} more`);
    for (const { id, hint } of items) if (hint !== undefined) output.say(`${id}: ${hint}`);
    output.document(answer);
  },
});

const get = reachingCommand({
  meta: { name: "get", description: "One piece of work, open or not" },
  args: { id: ID, ...PROJECT_HERE },
  async run(args, shell) {
    const { output, answer, items } = await ask(args, shell, { action: "get", id: args.id });
    output.rows(items.map(cellsOf));
    for (const { detail, reason, memory_id } of items) {
      if (detail !== undefined) for (const line of detail.split("\n")) output.show(`  ${line}`);
      if (reason !== undefined) output.show(`  reason: ${reason}`);
      if (memory_id !== undefined) output.say(`  \`chest-index show ${memory_id}\` tells how it was done`);
    }
    output.document(answer);
  },
});

const add = reachingCommand({
  meta: { name: "add", description: "Put work off" },
  args: {
    title: { type: "positional", description: "What is to be done, in quotes", required: true },
    ...ADDED.args,
    ...PROJECT_HERE,
  },
  async run(args, shell) {
    const { title } = args;
    const { output, answer, items } = await ask(args, shell, { action: "add", title, ...ADDED.read(args) });
    for (const { id } of items) output.say(`${id} added`);
    output.document(answer);
  },
});

const close = reachingCommand({
  meta: { name: "close", description: "Close work that is done" },
  args: {
    id: ID,
    ...DONE.args,
    ...PROJECT_HERE,
  },
  async run(args, shell) {
    const { id } = args;
    const { output, answer, items } = await ask(args, shell, { action: "close", id, ...DONE.read(args) });
    for (const { id, title } of items) output.show(`${id} closed: ${title}`);
    output.document(answer);
  },
});

const drop = reachingCommand({
  meta: { name: "drop", description: "Give work up" },
  args: {
    id: ID,
    reason: { ...DROPPED.args.reason, required: true },
    ...PROJECT_HERE,
  },
  async run(args, shell) {
    const { id } = args;
    const { output, answer, items } = await ask(args, shell, { action: "drop", id, ...DROPPED.read(args) });
    for (const { id, title } of items) output.show(`${id} dropped: ${title}`);
    output.document(answer);
  },
});

const reopen = reachingCommand({
  meta: { name: "reopen", description: "Reopen closed or dropped work" },
  args: { id: { ...ID, description: "`W#17`" }, ...PROJECT_HERE },
  async run(args, shell) {
    const { output, answer, items } = await ask(args, shell, { action: "reopen", id: args.id });
    for (const { id, title } of items) output.show(`${id} is open again: ${title}`);
    output.document(answer);
  },
});

export const work = commandGroup({
  meta: { name: "work", description: "Deferred work: list, get, add, close, drop, reopen" },
  subCommands: { list, get, add, close, drop, reopen },
});

const cellsOf = ({ id, ordinal, title, priority, status, author, age_days }: Item): string[] => [
  ordinal === null ? status : `${ordinal}.`,
  id,
  title,
  `priority ${priority}`,
  author,
  age_days === 0 ? "today" : counted(age_days, "day"),
];
