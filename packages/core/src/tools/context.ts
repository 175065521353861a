import { z } from "zod";
import { noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { round, some } from "../answers/wire.ts";
import { NEVER_UNASKED } from "../continuity/briefing.ts";
import {
  CONTEXT_KINDS,
  type ContextKind,
  type ContextRow,
  contextLine,
  contextRow,
  contextSections,
} from "../continuity/context-sections.ts";
import { unaskedQuestion } from "../continuity/unasked-question.ts";
import { degradedLines } from "../recall/answer/degraded-text.ts";
import { candidatesByQuery } from "../recall/candidates.ts";
import { wellFormed } from "../text/characters.ts";
import { estimateTokens } from "../text/tokens.ts";
import { defineTool, type ToolPorts } from "../tool.ts";

const MOST_OF_TASK = 12;
const LOOKED_AT = 40;
/** Tokens around the items. */
const FRAME = 60;
// Least share of a task's words in a row: a smaller share is chance.
const MIN_COVERAGE = 0.3;
const MIN_COSINE = 0.6;

const input = z.object({
  task: z.string().trim().min(1).max(8000).transform(wellFormed).optional().describe("What you are about to do"),
  token_budget: z.int().min(100).max(6000).default(800),
});

const row = z.looseObject({
  id: z.string().describe("A memory's number, or a work item's `W#17`"),
  content: z.string(),
  layer: z.string().optional(),
  about: z.string().optional(),
  created_at: z.string().optional(),
  score: z.number().optional(),
  contradicted_by: z.array(z.int()).optional(),
  stale: z.array(z.string()).optional().describe("Source files that had changed by the last check"),
});

const output = z.looseObject({
  ok: z.literal(true),
  sections: z.array(z.looseObject({ kind: z.enum(CONTEXT_KINDS), items: z.array(row), note: z.string().optional() })),
  /** Upper estimate: models count no more. */
  tokens: z.int(),
  budget: z.int(),
  degraded: z.array(z.looseObject({ leg: z.string(), reason: z.string() })).optional(),
});

export const context = defineTool({
  name: "chest_context",
  title: "chest: context",
  description:
    "One briefing within a token budget: what is known for a task, what is recent and important here, open work, and where your last session stopped. Use as the first call of a session, and when you change to another task. Not to search: recall.",
  input,
  output,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },

  text: contextText,

  async run({ task, token_budget: budget }, ports, caller) {
    const found = task === undefined ? { rows: [], degraded: [] } : await forTask(task, ports);
    const at = { project: caller.project, now: ports.clock.now() };
    const sections = await contextSections({ budget: budget - FRAME, task, forTask: found.rows }, ports.store, at);
    const answer = { ok: true as const, sections, tokens: 0, budget, ...some("degraded", found.degraded) };
    return { ...answer, tokens: estimateTokens(contextText(answer)) };
  },
});

/** Rows about a task. Openings are not counted. */
async function forTask(task: string, ports: ToolPorts) {
  const question = await unaskedQuestion(task, { withoutRules: NEVER_UNASKED, limit: LOOKED_AT }, ports);
  const { candidates, degraded } = await candidatesByQuery(question, ports);
  const rows: ContextRow[] = [];
  let looked = 0;
  for await (const { memory, fused, score } of candidates) {
    looked += 1;
    if (looked > LOOKED_AT || rows.length >= MOST_OF_TASK) break;
    const isAbout = (fused?.words?.coverage ?? 0) >= MIN_COVERAGE || (fused?.vector?.score ?? 0) >= MIN_COSINE;
    if (isAbout) rows.push({ ...contextRow(memory), score: round(score.composite, 3) });
  }
  return { rows, degraded };
}

const TITLES: Readonly<Record<ContextKind, string>> = {
  triggered: "Meant for this moment:",
  task: "For this task:",
  recent: "Recent and important here:",
  work: "Open work:",
  handoff: "Last session:",
};

function contextText({ ok, sections, tokens, budget, degraded, ...others }: z.output<typeof output>): string {
  const lines = sections.flatMap(({ kind, items, note }) => [
    `${TITLES[kind]}${items.length === 0 && note !== undefined ? ` ${framed(note)}` : ""}`,
    ...items.map(contextLine),
    ...(items.length > 0 && note !== undefined ? [framed(note)] : []),
  ]);
  return [
    sections.length === 0 ? "nothing yet" : "briefing",
    ...noticedBlock(lines),
    // In an empty store, a vector search would find nothing either.
    ...degradedLines(sections.length === 0 ? [] : (degraded ?? [])),
    ...otherKeys(others),
  ].join("\n");
}
