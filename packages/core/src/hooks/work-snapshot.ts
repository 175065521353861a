import { counted } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import type { KnownLine } from "../continuity/dashboard.ts";
import { workId } from "../continuity/work-reference.ts";
import type { Memory } from "../memory/memory.ts";
import { summaryLine } from "../memory/summary-text.ts";
import type { SessionTrace } from "../ports/sessions.ts";
import type { WorkItem } from "../ports/work.ts";
import { cut } from "../text/cut.ts";
import { readCarry } from "../transcript/carry.ts";
import { commandOf } from "../transcript/command-kinds.ts";

const MAX_BYTES = 4096;
const MAX_LINE = 200;
const MAX_FILES = 20;
/** More are named where there is room for everything else. */
const FEW_FILES = 8;
const MAX_TITLE = 100;
const MAX_ITEMS = 5;
const MAX_LEFT = 12;
const MAX_DONE = 15;
/** Length at which the block of a start shows the same memory, which is then not shown twice. */
const MAX_DONE_LINE = 300;

/** An episode that ended in a failure is left out: the failure has its own entry. */
const FAILED = /\bfailed$/;

const COMMITTED = /^`git commit\b.*` went well$/;

/** Title of an episode, with the commits that it ended in rather than that git went well. */
function withCommits(content: string): string {
  const [title = "", ...steps] = content.split("\n");
  const commits = steps.filter((step) => COMMITTED.test(step));
  return commits.length === 0 ? title : title.replace(/\bgit went well$/i, () => commits.join("; "));
}

interface Tier {
  readonly title: string;
  readonly items: string[];
  /** Entries that stay when there is no room for all. */
  readonly atLeast: number;
}

/** Facts that the description of a session's work is made of. */
export interface Worked {
  /** Open work of its project: named where no failure is left to be mended. */
  readonly work?: readonly WorkItem[];
  /** Memories that its agent saved, in another session of its own than this one of its host. */
  readonly saved?: readonly Memory[];
  /** Requests of the session that this one continued; shown if this one had no request of its own. */
  readonly askedBefore?: readonly string[];
}

/**
 * Summarises a session's work in a form that survives the loss of its context: Markdown of at most four kilobytes, every line
 * framed. Undefined when it left nothing.
 */
export function workSnapshot(
  { files, memories, carry: kept }: SessionTrace,
  { work = [], saved: ofAgent = [], askedBefore = [] }: Worked = {},
): string | undefined {
  const carry = readCarry(kept);
  const of = (...rules: readonly string[]) =>
    memories.flatMap(({ memory, rule }) => (rule !== undefined && rules.includes(rule) ? [memory.content] : []));
  const goals = memories.flatMap(({ memory }) => (memory.layer === "goal" ? [memory.content] : []));
  const open = carry.failing.filter(({ isOpen }) => isOpen);
  const edited = files.map(({ path, edits }) => `${path} (${counted(edits, "edit")})`);
  const unresolved = open.map(({ command, error }) => `${commandOf(command)}: ${error}`).reverse();
  const asked = [...goals, ...of("first_intent", "automated_task"), ...of("clarification")];
  const latest = carry.intent?.text;
  const isTold = latest === undefined || memories.some(({ memory }) => memory.content === latest);
  const askedFor = isTold ? asked : [latest, ...asked];
  // Memories that its agent chose to save and that nothing above mentions, and its edits.
  const own = memories.flatMap(({ memory, rule }) => (rule === undefined ? [memory] : []));
  const saved = [...own, ...ofAgent.filter(({ id }) => own.every((one) => one.id !== id))].filter(
    ({ flags }) => flags.length === 0,
  );
  const firstLine = (content: string) => content.split("\n", 1)[0] ?? "";
  const mended = memories.flatMap(({ memory: { id, content }, rule }) =>
    rule === "fix" ? [`[memory:${id}] ${summaryLine(content)}`] : [],
  );
  const done = [
    ...saved.map(({ id, content }) => `[memory:${id}] ${summaryLine(content)}`),
    ...mended,
    ...of("episode")
      .filter((content) => !FAILED.test(firstLine(content)))
      .map(withCommits),
  ];
  const decided = of("decision", "realize");
  if ([edited, unresolved, askedFor, decided, done].every((items) => items.length === 0)) return undefined;
  const openWork = unresolved.length > 0 ? [] : work.map(({ id, title }) => `${workId(id)} ${cut(title, MAX_TITLE)}`);
  const steps = carry.next?.split("\n") ?? [];
  const left = [...steps, ...openWork];
  // Where the agent named no step, its last words say the most of where it was.
  const said = steps.length === 0 ? carry.said?.text : undefined;
  const lastSaid = said === undefined || done.some((item) => item.includes(said)) ? [] : [said];
  const tiers: readonly Tier[] = [
    tier("Files", edited, { atLeast: 1, most: MAX_FILES }),
    tier(ERRORS, unresolved, { atLeast: 1, most: MAX_ITEMS }),
    tier(LEFT_TO_DO, left, { atLeast: 0, most: MAX_LEFT }),
    tier("Last said", lastSaid, { atLeast: 0, most: 1, width: MAX_DONE_LINE }),
    tier(ASKED_FOR, askedFor.length > 0 ? askedFor : askedBefore, { atLeast: 0, most: MAX_ITEMS }),
    tier("Decisions", decided, { atLeast: 0, most: MAX_ITEMS }),
    tier("Completed", done, { atLeast: 0, most: MAX_DONE, width: MAX_DONE_LINE }),
  ];
  const [named] = tiers;
  while (named && named.items.length > FEW_FILES && byteLength(tiers) > MAX_BYTES) named.items.pop();
  // Then items are removed from the last section upwards; one file and one error stay.
  for (const { items, atLeast } of [...tiers].reverse()) {
    while (items.length > atLeast && byteLength(tiers) > MAX_BYTES) items.pop();
  }
  return rendered(tiers);
}

const HEADING = "## Where this session was";
const ASKED_FOR = "Asked for";
const LEFT_TO_DO = "Left to do";
const ERRORS = "Unresolved errors";

/** Requests that a snapshot names. */
export const askedIn = (text: string): string[] => itemsOf(text, ASKED_FOR);

/** First next step of a snapshot, else its error; undefined if it has neither. */
export function firstLeft(text: string): string | undefined {
  return [LEFT_TO_DO, ERRORS].flatMap((title) => itemsOf(text, title))[0];
}

function itemsOf(text: string, title: string): string[] {
  const section = text.split("\n\n").find((each) => each.startsWith(`### ${title}\n`)) ?? "";
  return section
    .split("\n")
    .slice(1)
    .map((item) => item.replace(/^- /, ""));
}

/** Lines of a snapshot under a title in the agent's language, with the memories that they tell. */
export const snapshotLines = (text: string): KnownLine[] =>
  text
    .replace(new RegExp(`^${HEADING}\n+`), "")
    .split("\n")
    .map((line) => {
      const id = /^- \[memory:(\d+)\] /.exec(line)?.[1];
      return { text: line, ...(id !== undefined && { id: Number(id) }) };
    });

/** Entries of each section that another session needs to go on; those that are not named here stay. */
const NEEDED: ReadonlyMap<string, number> = new Map([
  ["Files", 3],
  [ERRORS, 3],
  [ASKED_FOR, 2],
  ["Decisions", 3],
  ["Completed", 2],
]);

/**
 * Short form of a snapshot, for another session. The rest can be found in its files, in git, and where the pointer
 * leads.
 */
export const forAnother = (text: string): string =>
  text
    .split("\n\n")
    .map((section) => {
      const [title = "", ...items] = section.split("\n");
      const most = NEEDED.get(title.replace(/^### /, "")) ?? items.length;
      // A memory that the agent saved is no mere record.
      const kept = items.filter((item, nth) => nth < most || item.startsWith("- [memory:"));
      return [title, ...kept].join("\n");
    })
    .join("\n\n");

/** A snapshot without its open work, for a session that is shown the current open work. */
export function withoutOpenWork(text: string): string {
  const sections = text.split("\n\n").map((section) => section.split("\n"));
  return sections
    .map(([title, ...items]) => [title, ...items.filter((item) => !/^- W#\d+ /.test(item))])
    .filter((lines, nth) => lines.length > 1 || lines.length === sections[nth]?.length)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const tier = (
  title: string,
  items: readonly string[],
  { atLeast, most, width = MAX_LINE }: Pick<Tier, "atLeast"> & { readonly most: number; readonly width?: number },
): Tier => ({ title, atLeast, items: items.slice(0, most).map((item) => cut(framed(item), width)) });

const byteLength = (tiers: readonly Tier[]): number => Buffer.byteLength(rendered(tiers));

const rendered = (tiers: readonly Tier[]): string =>
  [
    HEADING,
    ...tiers.flatMap(({ title, items }) =>
      items.length === 0 ? [] : ["", `### ${title}`, ...items.map((item) => `- ${item}`)],
    ),
  ].join("\n");
