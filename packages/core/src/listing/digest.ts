import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { projectKeyOf } from "../access/project-key.ts";
import type { Reach } from "../access/space.ts";
import type { MemoryListRow } from "../answers/row.ts";
import { framed, NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { numeral } from "../arguments/numeral.ts";
import { defineOperation } from "../operation.ts";
import type { Store } from "../ports/store.ts";
import { cut } from "../text/cut.ts";
import * as field from "../tools/fields.ts";
import { type HomePorts, newsSince } from "./home.ts";
import { countsOf } from "./inbox.ts";

const DIGEST_FIELDS = z.strictObject({
  days: numeral(1, 31).default(1).describe("How far back it goes: 1 for a day, 7 for a week"),
  project: field.project().optional(),
});

const DAY_MS = 86_400_000;
const [MOST_PLACES, MOST_OF_ONE, MOST_CHARS] = [10, 4, 160] as const;

/** Tells what was learned, what helped and what waits, as facts and in sentences. */
export const digestView = defineOperation({
  endpoint: endpoints.digest,
  query: DIGEST_FIELDS,
  isPlaced: true,
  run({ query: { days, project } }, { store, ...ports }) {
    const since = new Date(ports.clock.now().getTime() - days * DAY_MS);
    return digestSince(since, store, ports, project === "*" ? undefined : project);
  },
});

/** Digest of the time since a moment. @param project its key; undefined for all that the caller may open */
export async function digestSince(since: Date, store: Store, ports: HomePorts, project?: string) {
  const key = project === undefined ? undefined : projectKeyOf(project);
  const reach: Reach = key === undefined ? "everywhere" : { projectKey: key };
  const until = ports.clock.now();
  const [facts, waiting] = await Promise.all([
    newsSince(since, reach, store, ports),
    countsOf(reach, "waiting", store),
  ]);
  const parts = { ...facts, waiting };
  return {
    _notice: NOTICE,
    ok: true as const,
    since: seconds(since),
    until: seconds(until),
    ...(key === undefined ? {} : { project: key }),
    ...parts,
    text: digestText(parts, { since, project: key }),
  };
}

interface DigestParts extends Awaited<ReturnType<typeof newsSince>> {
  readonly waiting: Awaited<ReturnType<typeof countsOf>>;
}

/** A digest as Markdown: sections with a sentence and a short list each, in the words of the page's first view. */
export function digestText(
  { learned, rules, helped, waiting, gaps = [] }: DigestParts,
  { since, project }: { readonly since: Date; readonly project: string | undefined },
): string {
  const when = since.toISOString().slice(0, 16).replace("T", " ");
  const decisions = DECISIONS.filter(([kind]) => waiting[kind] > 0);
  const sections = [
    `# What is new${project === undefined ? "" : ` in ${quoted(project)}`}\n\nSince ${when} UTC.`,
    section("Learned", [
      learned.total === 0
        ? "Nothing new was learned in this time."
        : `${several(learned.total, "memory", "memories")} in ${several(learned.projects.length, "place", "places")}.`,
      ...placesOf(learned),
    ]),
    rules.length > 0 && section("New pitfalls of colleagues", [rules.map(lineOf).join("\n")]),
    section("What helped", [
      helped.opened === 0
        ? "No agent opened a memory in this time."
        : `Memories were opened ${several(helped.opened, "time", "times")}.`,
      helped.memories.map((row) => `${lineOf(row)}: ${several(row.times, "time", "times")}`).join("\n"),
    ]),
    section("Waits for a decision", [
      decisions.length === 0
        ? "Nothing waits for you."
        : decisions.map(([kind, one, many]) => `- ${several(waiting[kind], one, many)}`).join("\n"),
    ]),
    gaps.length > 0 &&
      section("Questions that found nothing", [
        gaps.map(({ question, times }) => `- ${quoted(question)}: ${several(times, "time", "times")}`).join("\n"),
      ]),
  ];
  return `${sections.filter((each) => each !== false).join("\n\n")}\n`;
}

const DECISIONS = [
  ["contradictions", "contradiction", "contradictions"],
  ["stale", "memory whose source has changed", "memories whose sources have changed"],
  ["flagged", "flagged memory", "flagged memories"],
  ["promotions", "memory that asks to be the team's", "memories that ask to be the team's"],
  ["duplicates", "group of near-duplicates", "groups of near-duplicates"],
] as const;

/** A paragraph for each project: how much of it is new, and the newest of that. */
function placesOf({ projects, memories }: DigestParts["learned"]): string[] {
  const byProject = Map.groupBy(memories, ({ project }) => project || undefined);
  const parts = projects.slice(0, MOST_PLACES).map(({ project, memories: count }) => {
    const shown = (byProject.get(project) ?? []).slice(0, MOST_OF_ONE);
    const rest = count - shown.length;
    const name = project === undefined ? "Of no project" : `In ${quoted(project)}`;
    const lines = [...shown.map(lineOf), ...(shown.length > 0 && rest > 0 ? [`- and ${rest} more`] : [])];
    return `${name}: ${several(count, "memory", "memories")}${shown.length === 0 ? "." : `\n\n${lines.join("\n")}`}`;
  });
  const others = projects.length - parts.length;
  return others > 0 ? [...parts, `And in ${several(others, "other place", "other places")}.`] : parts;
}

const section = (title: string, paragraphs: readonly string[]): string =>
  [`## ${title}`, ...paragraphs.filter((each) => each !== "")].join("\n\n");

// A flagged text may be written for the model that reads it: it is named and not quoted.
const lineOf = ({ id, title, author, flagged }: MemoryListRow): string =>
  `- ${flagged === undefined ? quoted(title) : "A flagged memory"} (#${id}, ${quoted(author)})`;

// Text of others makes no link, no picture, no element and no mention, in Markdown as in a chat.
const quoted = (text: string): string =>
  cut(framed(text).trim(), MOST_CHARS)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\[\]]/g, "\\$&");

const several = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
