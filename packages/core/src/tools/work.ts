import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { counted, noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed, framedLines } from "../answers/sanitize-for-prompt.ts";
import { findWork, workId } from "../continuity/work-reference.ts";
import { PRIORITIES, type Priority, WORK_STATUSES, type WorkItem, type WorkReads } from "../ports/work.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { cut } from "../text/cut.ts";
import { defineTool, invalid } from "../tool.ts";
import * as field from "./fields.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 30;
const MOST_LISTED = 200;
/** Characters of an item's detail in a list; `get` shows all. */
const DETAIL_IN_LIST = 200;

const ACTIONS = ["add", "list", "get", "close", "drop", "reopen"] as const;
const text = (most: number) => z.string().trim().min(1).max(most).transform(wellFormed);

const input = z.object({
  action: z.enum(ACTIONS).optional().describe("By default `add` with a title, `get` with an id, else `list`"),
  title: text(200).optional().describe("For `add`: what is to be done"),
  detail: text(2000).optional(),
  priority: z.int().min(1).max(3).default(2).describe("1 is the most urgent"),
  files: z.array(text(1000)).max(50).optional(),
  id: field.textOrNumber(20).optional().describe("`W#17`, or the number in the list"),
  reason: text(500).optional().describe("For `drop`: why it will not be done"),
  memory_id: field.id().optional().describe("For `close`: the memory that tells how it was done"),
  closed: z.boolean().default(false).describe("For `list`: closed and dropped items instead, newest first"),
  project: field.project().optional().describe("Key of another project than the current one"),
});

const item = z.looseObject({
  id: z.string(),
  /** Position in the list of open items; null for a closed item. */
  ordinal: z.int().nullable(),
  title: z.string(),
  priority: z.int(),
  status: z.enum(WORK_STATUSES),
  author: z.string(),
  /** Absent for work of the whole team. */
  project: z.string().optional(),
  age_days: z.int(),
  files: z.array(z.string()),
  detail: z.string().optional(),
  reason: z.string().optional(),
  memory_id: z.int().optional(),
  closed_at: z.string().optional(),
  hint: z.string().optional(),
});

const output = z.looseObject({
  ok: z.literal(true),
  action: z.enum(ACTIONS).optional(),
  /** Set for a list of closed items. */
  closed: z.literal(true).optional(),
  /** Number of open items; more than `items` if the list is cut. */
  total: z.int().optional(),
  items: z.array(item).optional(),
  ...field.queued,
});

type Input = z.output<typeof input>;
type Answer = z.output<typeof output>;

export const work = defineTool({
  name: "chest_work",
  title: "chest: work items",
  description:
    "Deferred work of this project: add, list, get, close, drop or reopen it. Use when something is left for later, or to see what is open. Close it with `closes_work` of chest_remember where there is something to remember. Not for facts: remember them.",
  input,
  output,
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  readsOnly: (args) => ["list", "get"].includes(String(args.action ?? impliedBy(args))),

  text: workText,

  judge: check,

  async run(args, { store, clock }, caller) {
    check(args);
    const { action = impliedBy(args), id = "", memory_id: memoryId } = args;
    const projectKey = placeOf(args.project, caller.project);
    const now = clock.now();
    if (action === "list" && args.closed) {
      const ended = await store.work.ended(projectKey, MOST_LISTED);
      const items = ended.map((each) => presentWork(each, null, now));
      return { ok: true as const, action, closed: true as const, total: items.length, items };
    }
    if (action === "list") {
      const open = await store.work.open(projectKey);
      const items = open.slice(0, MOST_LISTED).map((each, at) => presentWork(each, at + 1, now));
      return { ok: true as const, action, total: open.length, items };
    }
    if (action === "get") {
      const [found] = await findWork([id], { field: "id", projectKey, withClosed: true }, store.work);
      return { ok: true as const, action, items: found ? [await whole(found, store.work, projectKey, now)] : [] };
    }
    const changed = await store.write(async (tx) => {
      if (action === "add") {
        if (args.project !== undefined) await tx.sessions.workIn(args.project);
        const { id } = await tx.work.add({
          title: redact(args.title ?? ""),
          detail: args.detail === undefined ? undefined : redact(args.detail),
          priority: PRIORITIES.find((known) => known === args.priority) ?? 2,
          files: (args.files ?? []).map(redact),
          projectKey,
        });
        return { id };
      }
      const withClosed = action === "reopen";
      const [found] = await findWork([id], { field: "id", projectKey, withClosed }, tx.work);
      if (!found) throw new Error("no work item was named");
      if (action === "reopen") {
        if (found.status === "open") throw openAlready(found.id);
        await tx.work.reopen(found);
        return { id: found.id };
      }
      if (memoryId !== undefined && !(await tx.memories.byId(memoryId))) throw noMemory(memoryId);
      const reason = args.reason === undefined ? undefined : redact(args.reason);
      await tx.work.end(found, { status: action === "close" ? "done" : "dropped", reason, memoryId });
      return { id: found.id };
    });
    const after = await store.work.byId(changed.id);
    const shown = after && (await whole(after, store.work, projectKey, now));
    // A caller that adds an item may see it; other items need the right to read.
    const mayRead = action === "add" || caller.scopes.has("read");
    return { ok: true as const, action, items: shown ? [mayRead ? shown : withoutText(shown)] : [] };
  },
});

const NEEDS: Readonly<Record<(typeof ACTIONS)[number], readonly (keyof Input)[]>> = {
  add: ["title"],
  list: [],
  get: ["id"],
  close: ["id"],
  drop: ["id", "reason"],
  reopen: ["id"],
};

/** Default action of a call without one. */
const impliedBy = ({ title, id }: { readonly title?: unknown; readonly id?: unknown }): (typeof ACTIONS)[number] =>
  title !== undefined ? "add" : id !== undefined ? "get" : "list";

/** Refuses an action that lacks its arguments. */
function check(args: Input): void {
  const { action = impliedBy(args) } = args;
  const missing = NEEDS[action].filter((name) => args[name] === undefined);
  if (missing.length === 0) return;
  throw invalid(missing.map((path) => ({ path, message: `\`${action}\` needs it` })));
}

const placeOf = (input: string | undefined, own: string | undefined): string | undefined => {
  if (input === "*") throw invalid([{ path: "project", message: "work belongs to one project, and `*` is not one" }]);
  return input ?? own;
};

const openAlready = (id: number) =>
  new ChestError("ALREADY_DONE", `id: ${workId(id)} is open already`, {
    hint: "nothing is left to do",
    details: { field: "id", work_id: workId(id), status: "open" },
  });

const noMemory = (id: number) =>
  invalid([{ path: "memory_id", message: `memory ${id} not found: leave it out, or name one that you may read` }]);

async function whole(found: WorkItem, work: WorkReads, projectKey: string | undefined, now: Date) {
  const at = (await work.open(projectKey)).findIndex(({ id }) => id === found.id);
  return presentWork(found, at < 0 ? null : at + 1, now);
}

const withoutText = ({ id, ordinal, priority, status, age_days }: z.input<typeof item>): z.input<typeof item> => ({
  ...{ id, ordinal, priority, status, age_days },
  ...{ title: "not shown: this token may not read", author: "not shown", files: [] },
});

/** A work item as an answer shows it. */
function presentWork(of: WorkItem, ordinal: number | null, now: Date): z.input<typeof item> {
  const age = Math.max(0, Math.floor((now.getTime() - of.createdAt.getTime()) / DAY_MS));
  return {
    id: workId(of.id),
    ordinal,
    title: of.title,
    priority: of.priority satisfies Priority,
    status: of.status,
    author: of.author,
    ...(of.project === undefined ? {} : { project: of.project }),
    age_days: age,
    files: [...of.files],
    ...(of.detail === undefined ? {} : { detail: of.detail }),
    ...(of.reason === undefined ? {} : { reason: of.reason }),
    ...(of.closedByMemoryId === undefined ? {} : { memory_id: of.closedByMemoryId }),
    ...(of.closedAt === undefined ? {} : { closed_at: of.closedAt.toISOString() }),
    ...(of.status === "open" && age > OLD_DAYS ? { hint: "open for more than a month: do it, or drop it" } : {}),
  };
}

const DONE: Readonly<Partial<Record<(typeof ACTIONS)[number], string>>> = {
  add: "added",
  close: "closed",
  drop: "dropped",
  reopen: "reopened",
};

function workText({
  ok,
  action = "list",
  closed,
  total,
  items = [],
  queued,
  queue_id,
  note,
  ...others
}: Answer): string {
  if (queued) return [field.queuedText({ queue_id, note }), ...otherKeys(others)].join("\n");
  const isList = action === "list";
  const head = isList
    ? listHead(total ?? items.length, items.length, closed ? "ended" : "open")
    : `${DONE[action] ?? "found"} ${items.map(({ id }) => id).join(", ")}`;
  const lines = items.flatMap((each) => itemLines(each, isList ? DETAIL_IN_LIST : Number.POSITIVE_INFINITY));
  return [head, ...noticedBlock(lines), ...otherKeys(others)].join("\n");
}

function listHead(total: number, listed: number, state: "open" | "ended"): string {
  if (total === 0) return `no ${state} work`;
  return `${counted(total, `${state} work item`)}${total > listed ? `, the first ${listed}` : ""}`;
}

function itemLines(of: NonNullable<Answer["items"]>[number], detail: number): string[] {
  const number = of.ordinal === null ? "-" : `${of.ordinal}.`;
  const facts = [
    `priority ${of.priority}`,
    ...(of.status === "open" ? [] : [of.status]),
    `by ${of.author}`,
    of.age_days === 0 ? "today" : `${counted(of.age_days, "day")} old`,
    ...of.files,
    ...(of.memory_id === undefined ? [] : [`see [memory:${of.memory_id}]`]),
    ...(of.hint === undefined ? [] : [of.hint]),
  ];
  return [
    framed(`${number} ${of.id} ${of.title} (${facts.join(", ")})`),
    ...(of.detail === undefined ? [] : framedLines(cut(of.detail, detail)).map((line) => `  ${line}`)),
    ...(of.reason === undefined ? [] : [framed(`  reason: ${of.reason}`)]),
  ];
}
