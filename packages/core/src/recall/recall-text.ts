import { z } from "zod";
import { cited, counted, dayOf, indented, noticedBlock, otherKeys, warningLines } from "../answers/answer-text.ts";
import { type MemoryListRow, rowLine } from "../answers/row.ts";
import { framed, framedLines } from "../answers/sanitize-for-prompt.ts";
import { warnings } from "../answers/wire.ts";
import { degradedLines } from "./answer/degraded-text.ts";
import { MATCHES } from "./ranking/confidence.ts";

const shown = z.looseObject({
  id: z.int(),
  content: z.string(),
  entity: z.looseObject({ name: z.string() }).optional(),
  layer: z.string().optional(),
  match: z.enum(MATCHES).optional().describe("How near it is to the question"),
  tags: z.array(z.string()).optional(),
  created_at: z.int().optional(),
  pinned: z.boolean().optional(),
  state: z.enum(["archived", "superseded"]).optional(),
  content_truncated: z.literal(true).optional(),
  near_duplicates: z.array(z.int()).optional(),
  contradicted_by: z.array(z.int()).optional(),
  stale: z.array(z.string()).optional().describe("Files that it comes from and that changed since, as they are here"),
  earlier: z.array(z.int()).optional(),
  title: z.string().nullable().optional(),
  category: z.string().nullable().optional(),
  links: z.array(z.looseObject({ type: z.string() })).optional(),
  tokens_to_open: z.int().optional(),
});

export type RecalledRow = z.output<typeof shown>;

/** Answer of `chest_recall`. */
export const recalled = z.looseObject({
  _notice: z.string(),
  ok: z.literal(true),
  count: z.int(),
  total_candidates: z.int(),
  total_is_lower_bound: z.literal(true).optional(),
  offset: z.int().optional(),
  has_more: z.boolean(),
  next_cursor: z.string().optional().describe("Of a list by filters alone: what `cursor` goes on from"),
  stopped_by: z.enum(["tokens", "limit", "end"]).optional(),
  search: z.string(),
  relaxed: z.literal(true).optional().describe("No memory holds every word of `query`"),
  resolved_layer: z.string().nullable().optional(),
  confidence: z
    .number()
    .optional()
    .describe("0 to 1: how sure the best of these is an answer; low: better say nothing"),
  nearest: z.array(z.int()).optional().describe("Nothing answers it; these ids come nearest"),
  weak: z.array(shown).optional().describe("Nothing answers it; these come nearest, and do not count as found"),
  answer: z.looseObject({ text: z.string(), sources: z.array(z.int()) }).optional(),
  degraded: z.array(z.looseObject({ leg: z.string(), reason: z.string() })).optional(),
  staleness_warning: z.looseObject({}).optional(),
  not_returned: z.array(z.looseObject({ id: z.int(), reason: z.string() })).optional(),
  warnings,
  source_hashes: z.array(z.looseObject({ memory_id: z.int(), path: z.string(), hash: z.string() })).optional(),
  related: z
    .array(z.looseObject({ id: z.int() }))
    .optional()
    .describe("Linked with these, where asked for"),
  max_tokens: z.int().optional().describe("The budget, where it is too small for hints beside the memories"),
  between: z
    .looseObject({ since: z.string().optional(), until: z.string().optional(), time_zone: z.string() })
    .optional()
    .describe("What `since` and `until` were taken for"),
  memories: z.array(shown).describe("Best first; `composite` is 0 to 1 on one scale in all answers"),
});

const NO_ANSWER = "nothing answers it; the nearest, which may have nothing to do with it:";

export type Recalled = z.output<typeof recalled>;

/** Writes memories as a list, best first. */
export function recallText({
  _notice,
  ok,
  count,
  total_candidates: total,
  total_is_lower_bound,
  offset = 0,
  has_more: hasMore,
  next_cursor: cursor,
  stopped_by,
  search,
  relaxed,
  resolved_layer,
  confidence,
  nearest = [],
  weak = [],
  answer,
  degraded = [],
  not_returned: notReturned = [],
  warnings,
  memories,
  related = [],
  between,
  max_tokens: smallBudget,
  ...others
}: z.output<typeof recalled>): string {
  const isTight = smallBudget !== undefined;
  const passedOver = notReturned.filter(({ reason }) => reason === "budget").length;
  const of = total > count ? ` of ${total_is_lower_bound ? "at least " : ""}${total}` : "";
  const sure = confidence === undefined ? "" : `, confidence ${confidence}`;
  return [
    count === 0 && total === 0
      ? weak.length > 0
        ? NO_ANSWER
        : "nothing was found"
      : `${count}${of} ${total === 1 ? "memory" : "memories"}${sure}`,
    ...(between ? [betweenLine(between)] : []),
    ...(relaxed ? ["no memory holds every word of the query"] : []),
    ...noticedBlock([
      ...(answer ? [...answerLines(answer), ...(isTight ? [] : [""])] : []),
      // If the budget is tight, the answer is shown without the memories that it cites.
      ...(isTight && answer ? [] : [...memories, ...weak].flatMap(memoryLines)),
      ...related.map((row) => `linked: ${rowLine(row as MemoryListRow)}`),
    ]),
    ...(nearest.length > weak.length && !isTight
      ? [`nearest, and no answer: ${cited(nearest.slice(weak.length))}`]
      : []),
    ...(hasMore
      ? [`more: ${cursor === undefined ? `\`offset\` ${offset + count + passedOver}` : `\`cursor\` ${cursor}`}`]
      : []),
    ...withheldLine(isTight ? [] : notReturned.flatMap(({ id, reason }) => (reason === "budget" ? id : []))),
    ...notReturned.flatMap(({ id, reason }) => (reason === "budget" ? [] : `[memory:${id}] ${absence(reason)}`)),
    ...(isTight ? [] : degradedLines(degraded)),
    ...warningLines(warnings),
    ...otherKeys(others),
  ].join("\n");
}

const betweenLine = ({ since, until, time_zone }: NonNullable<z.output<typeof recalled>["between"]>): string =>
  `created ${[since && `from ${since}`, until && `to ${until}`].filter(Boolean).join(" ")} (${time_zone})`;

/** Lists what was too long for the budget in one line. */
function withheldLine([first, ...others]: readonly number[]): string[] {
  if (first === undefined) return [];
  return [`too long: ${cited([first])}${others.length > 0 ? ` and ${others.length} more` : ""}`];
}

const ABSENCES: ReadonlyMap<string, string> = new Map([
  ["not_found", "was not found"],
  ["archived", "is archived: `include_archived` shows it"],
  ["expired", "has expired: `include_archived` shows it"],
  ["superseded", "was replaced: `include_superseded` shows it"],
]);

/** Explains why a requested id is not in the answer, and how to see it. */
const absence = (reason: string): string => ABSENCES.get(reason) ?? `is not shown: ${framed(reason)}`;

const answerLines = ({ text, written_by, model }: NonNullable<z.output<typeof recalled>["answer"]>): string[] => [
  written_by === "llm"
    ? `written by ${framed(String(model ?? "a language model"))}, from the memories below`
    : "from the memories below",
  ...framedLines(text),
];

/** Lines of a memory: a heading with the content below; one line in formats that use one line. */
export function memoryLines(memory: RecalledRow): string[] {
  const {
    id,
    content,
    entity,
    layer,
    tags = [],
    created_at,
    pinned,
    state,
    content_truncated,
    match,
    ...rest
  } = memory;
  const { near_duplicates: same = [], contradicted_by: opponents = [], tokens_to_open: tokens, ...shownToo } = rest;
  const { title, category, links = [], stale = [], earlier = [], expires_at: expires, project, ...others } = shownToo;
  const more = [
    ...(content_truncated ? [`  cut: \`ids\` [${id}] has it whole`] : []),
    ...links.map(({ type, to, from }) =>
      to === undefined ? `  ${cited([Number(from)])} ${framed(type)} this` : `  ${framed(type)} ${cited([Number(to)])}`,
    ),
    ...(same.length > 0 ? [`  ${cited(same)} ${same.length === 1 ? "says" : "say"} the same`] : []),
    ...(stale.length > 0
      ? [`  stale: ${framed(stale.join(", "))} changed since: read before use, then chest_verify`]
      : []),
    ...(earlier.length > 0 ? [`  ${cited(earlier)} ${earlier.length === 1 ? "says" : "say"} how it was before`] : []),
    ...(opponents.length > 0 ? [`  contradicted by ${cited(opponents)}: read both before use`] : []),
    ...(Object.keys(others).length > 0 ? [`  ${framed(JSON.stringify(others))}`] : []),
  ];
  if (tokens !== undefined) {
    return [
      `[memory:${id}] ${layer}: ${framed(content)} (${[match, `${counted(tokens, "token")} to open`].filter(Boolean).join(", ")})`,
      ...more,
    ];
  }
  if (layer === undefined) return [`${framed(content)}${match === undefined ? "" : ` (${match})`}`, ...more];
  const about = [
    title ?? "",
    category === undefined || category === layer ? "" : category,
    layer,
    match === undefined ? "" : `${match} match`,
    entity?.name ?? "",
    typeof project === "string" ? `of project ${project}` : "",
    created_at === undefined ? "" : dayOf(created_at),
    pinned ? "pinned" : "",
    typeof expires !== "number" ? "" : `expires ${dayOf(expires)}`,
    state ?? "",
    ...tags.map((tag) => `#${tag}`),
  ];
  return [`[memory:${id}] ${framed(about.filter(Boolean).join(", "))}`, ...indented(content), ...more];
}
