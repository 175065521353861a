import { z } from "zod";
import { framed, NOTICE } from "../../answers/sanitize-for-prompt.ts";
import { round } from "../../answers/wire.ts";
import { LAYERS, readLayer } from "../../memory/layer.ts";
import type { EmbeddingIdentity } from "../../ports/embedder.ts";
import { wellFormed } from "../../text/characters.ts";
import { cut } from "../../text/cut.ts";
import type { ToolPorts } from "../../tool.ts";
import { type Candidate, candidatesByQuery, type Question } from "../candidates.ts";
import { readQuery } from "../query.ts";
import { pack } from "./budget.ts";

const MAX_TITLE = 120;
const MAX_CONTENT = 900;
const MAX_MEMORIES = 20;
const MIN_TOKENS = 100;
const MAX_TOKENS = 3000;

/** Input of the hook that runs before a prompt is sent to the model. */
export const promptRecallInput = z.strictObject({
  query: z.string().trim().min(1).max(8000).transform(wellFormed),
  project: z.string().trim().min(1).max(200).transform(wellFormed).optional(),
  layers: z.array(z.string().max(80)).min(1).max(LAYERS.length).default(["realize", "learning"]),
  limit: z.int().min(1).max(200).default(8),
  max_tokens: z.int().min(1).max(10_000).default(1500),
});

/** Recalls for a prompt: framed and short. Openings are not counted, because no agent asked. */
export async function recallForPrompt(request: z.output<typeof promptRecallInput>, ports: ToolPorts) {
  const { active } = await ports.store.identities();
  const question = questionOf(request, active, ports);
  const { candidates } = await candidatesByQuery(question, ports);
  const page = await pack(presented(candidates), question.maxTokens, question.limit);
  return { ok: true as const, notice: NOTICE, memories: [...page.selected] };
}

function questionOf(
  request: z.output<typeof promptRecallInput>,
  active: EmbeddingIdentity,
  { clock, ranking }: ToolPorts,
): Question {
  return {
    query: readQuery(request.query, ranking.synonyms),
    filter: {
      // A 1.5 client names its project only here.
      reach: "here",
      layers: [...new Set(request.layers.map(readLayer))],
      aboutProject: request.project,
      isFlagged: false,
      withArchived: false,
      withSuperseded: false,
    },
    band: undefined,
    sort: "relevance",
    active,
    maxTokens: Math.min(Math.max(request.max_tokens, MIN_TOKENS), MAX_TOKENS),
    limit: Math.min(request.limit, MAX_MEMORIES),
    offset: 0,
    ignoreDecay: false,
    ranking,
    now: clock.now(),
  };
}

async function* presented(candidates: AsyncIterable<Candidate> | Iterable<Candidate>) {
  for await (const candidate of candidates) yield { leastTokens: 0, make: () => present(candidate) };
}

function present({ memory, score }: Candidate) {
  const { entity } = memory;
  return {
    id: memory.id,
    layer: memory.layer,
    title: cut(framed(`${entity.name} / ${memory.layer}`), MAX_TITLE),
    content: cut(framed(memory.content), MAX_CONTENT),
    importance: memory.importance,
    score: round(score.composite, 3),
    ...(entity.kind === "project" ? { project: framed(entity.name) } : {}),
    created_at: memory.createdAt.toISOString(),
  };
}
