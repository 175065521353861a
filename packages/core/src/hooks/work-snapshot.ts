import type { SessionTrace } from "../ports/sessions.ts";
import { framed } from "../recall/frame.ts";
import { readCarry } from "../transcript/carry.ts";
import { commandOf } from "../transcript/failures.ts";
import { cut } from "../transcript/wording.ts";

const MAX_BYTES = 2048;
const MAX_LINE = 160;
const MAX_FILES = 10;
const MAX_ITEMS = 5;

interface Tier {
  readonly title: string;
  readonly items: string[];
  /** So many stay when there is no room for all. */
  readonly atLeast: number;
}

/**
 * What a session was at, in a form that survives the loss of its context: Markdown of at most two kilobytes, every line
 * framed. Undefined when it left nothing.
 */
export function workSnapshot({ files, memories, carry: kept }: SessionTrace): string | undefined {
  const carry = readCarry(kept);
  const of = (...rules: readonly string[]) =>
    memories.flatMap(({ memory, rule }) => (rule !== undefined && rules.includes(rule) ? [memory.content] : []));
  const goals = memories.flatMap(({ memory }) => (memory.layer === "goal" ? [memory.content] : []));
  const open = carry.failing.filter(({ isOpen }) => isOpen);
  const tiers: readonly Tier[] = [
    tier(
      "Files",
      files.slice(0, MAX_FILES).map(({ path, edits }) => `${path} (${edits})`),
      1,
    ),
    tier("Unresolved errors", open.map(({ command, error }) => `${commandOf(command)}: ${error}`).reverse(), 1),
    tier("Asked for", [...goals, ...of("first_intent", "automated_task"), ...of("clarification")], 0),
    tier("Decisions", of("decision", "realize"), 0),
  ];
  if (tiers.every(({ items }) => items.length === 0)) return undefined;
  // Decisions go first, then what was asked for; of files and errors one each stays.
  for (const { items, atLeast } of [...tiers].reverse()) {
    while (items.length > atLeast && byteLength(tiers) > MAX_BYTES) items.pop();
  }
  return rendered(tiers);
}

const tier = (title: string, items: readonly string[], atLeast: number): Tier => ({
  ...{ title, atLeast },
  items: items.slice(0, title === "Files" ? MAX_FILES : MAX_ITEMS).map((item) => cut(framed(item), MAX_LINE)),
});

const byteLength = (tiers: readonly Tier[]): number => Buffer.byteLength(rendered(tiers));

const rendered = (tiers: readonly Tier[]): string =>
  [
    "## Where this session was",
    ...tiers.flatMap(({ title, items }) =>
      items.length === 0 ? [] : ["", `### ${title}`, ...items.map((item) => `- ${item}`)],
    ),
  ].join("\n");
