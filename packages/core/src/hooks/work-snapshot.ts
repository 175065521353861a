import { cut } from "../cut.ts";
import type { SessionTrace } from "../ports/sessions.ts";
import { framed } from "../recall/answer/sanitize-for-prompt.ts";
import { readCarry } from "../transcript/carry.ts";
import { commandOf } from "../transcript/failures.ts";

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
 * Summarises a session's work in a form that survives the loss of its context: Markdown of at most two kilobytes, every line
 * framed. Undefined when it left nothing.
 */
export function workSnapshot({ files, memories, carry: kept }: SessionTrace): string | undefined {
  const carry = readCarry(kept);
  const of = (...rules: readonly string[]) =>
    memories.flatMap(({ memory, rule }) => (rule !== undefined && rules.includes(rule) ? [memory.content] : []));
  const goals = memories.flatMap(({ memory }) => (memory.layer === "goal" ? [memory.content] : []));
  const open = carry.failing.filter(({ isOpen }) => isOpen);
  const edited = files.map(({ path, edits }) => `${path} (${edits})`);
  const unresolved = open.map(({ command, error }) => `${commandOf(command)}: ${error}`).reverse();
  const askedFor = [...goals, ...of("first_intent", "automated_task"), ...of("clarification")];
  const tiers: readonly Tier[] = [
    tier("Files", edited, { atLeast: 1, most: MAX_FILES }),
    tier("Unresolved errors", unresolved, { atLeast: 1, most: MAX_ITEMS }),
    tier("Asked for", askedFor, { atLeast: 0, most: MAX_ITEMS }),
    tier("Decisions", of("decision", "realize"), { atLeast: 0, most: MAX_ITEMS }),
  ];
  if (tiers.every(({ items }) => items.length === 0)) return undefined;
  // Decisions go first, then what was asked for; of files and errors one each stays.
  for (const { items, atLeast } of [...tiers].reverse()) {
    while (items.length > atLeast && byteLength(tiers) > MAX_BYTES) items.pop();
  }
  return rendered(tiers);
}

const tier = (
  title: string,
  items: readonly string[],
  { atLeast, most }: Pick<Tier, "atLeast"> & { readonly most: number },
): Tier => ({ title, atLeast, items: items.slice(0, most).map((item) => cut(framed(item), MAX_LINE)) });

const byteLength = (tiers: readonly Tier[]): number => Buffer.byteLength(rendered(tiers));

const rendered = (tiers: readonly Tier[]): string =>
  [
    "## Where this session was",
    ...tiers.flatMap(({ title, items }) =>
      items.length === 0 ? [] : ["", `### ${title}`, ...items.map((item) => `- ${item}`)],
    ),
  ].join("\n");
