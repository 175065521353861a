import { round, seconds, some } from "../../answers/wire.ts";
import { bandOfUse } from "../../lifecycle/heat.ts";
import { momentumBand } from "../../lifecycle/momentum.ts";
import { isPinned, type Memory, stateOf } from "../../memory/memory.ts";
import { DEFAULT_METADATA } from "../../memory/metadata.ts";
import type { Candidate, Question } from "../candidates.ts";
import { type MatchedFields, matchedFields } from "../matched-fields.ts";
import { matchOf } from "../ranking/confidence.ts";
import type { Fused } from "../ranking/fuse.ts";
import { snippet } from "./snippet.ts";

interface Shape {
  readonly ids?: readonly number[] | undefined;
  readonly snippet_mode: boolean;
  readonly snippet_window: number;
}

/** Formats a candidate for an agent: its content, author and time. */
export function presentBriefly(candidate: Candidate, question: Question, shape: Shape) {
  const { memory, same = [], earlier = [] } = candidate;
  const state = stateOf(memory);
  return {
    id: memory.id,
    entity: { name: memory.entity.name },
    layer: memory.layer,
    ...nearnessOf(candidate),
    ...saidOf(memory),
    ...contentOf(candidate, question, shape),
    ...(memory.tags.length > 0 ? { tags: memory.tags } : {}),
    created_at: seconds(memory.createdAt),
    ...(memory.expiresAt && memory.hasOwnExpiry ? { expires_at: seconds(memory.expiresAt) } : {}),
    ...(isPinned(memory) ? { pinned: true } : {}),
    ...(state === "live" ? {} : { state }),
    ...some("near_duplicates", same),
    ...some("earlier", earlier),
  };
}

/** Its match with the question, if the question has words. */
export const nearnessOf = ({ fused }: Candidate) => (fused ? { match: matchOf(fused) } : {});

/** Metadata that differs from the defaults. */
const saidOf = ({ title, category, certainty, flags }: Memory) => ({
  ...some("flagged", flags),
  ...(title === undefined ? {} : { title }),
  ...(category === undefined ? {} : { category }),
  ...(certainty === DEFAULT_METADATA.certainty ? {} : { certainty }),
});

function contentOf({ memory }: Candidate, { query }: Question, shape: Shape) {
  if (!shape.snippet_mode || shape.ids !== undefined) return { content: memory.content };
  const words = [...(query?.words ?? []), ...(query?.grams ?? [])];
  const { text, isCut } = snippet(memory.content, words, shape.snippet_window);
  return { content: text, ...(isCut ? { content_truncated: true as const } : {}) };
}

/** Names of a memory's project and author, as far as an answer tells them. */
export interface Named {
  readonly project?: string;
  readonly author?: string;
}

/** A memory in an answer that explains its hits. */
export type ExplainedMemory = ReturnType<typeof present> & Named;

/** Formats a candidate with all values that decided its rank. */
export function present(candidate: Candidate, question: Question, shape: Shape) {
  const { memory, fused, score, heat, band } = candidate;
  const { query, filter } = question;
  return {
    id: memory.id,
    entity: {
      id: memory.entity.id,
      name: memory.entity.name,
      kind: memory.entity.kind,
      momentum: round(memory.entity.momentum, 2),
    },
    layer: memory.layer,
    ...nearnessOf(candidate),
    ...saidOf(memory),
    confidence: round(memory.confidence, 3),
    ...contentOf(candidate, question, shape),
    ...(memory.tags.length > 0 ? { tags: memory.tags } : {}),
    importance: memory.importance,
    created_at: seconds(memory.createdAt),
    ...(memory.expiresAt ? { expires_at: seconds(memory.expiresAt) } : {}),
    pinned: isPinned(memory),
    heat: round(heat, 1),
    band,
    ...some("near_duplicates", candidate.same ?? []),
    ...some("earlier", candidate.earlier ?? []),
    composite: round(score.composite, 3),
    match_reasons: explain(memory, {
      fused,
      met: query && fused?.words && matchedFields(memory, query, fused.words),
      heat,
      isLiteral: candidate.isLiteral(),
      isNamed: filter.entityName !== undefined,
    }),
    score_breakdown: {
      relevance: round(score.relevance, 3),
      heat: round(score.heat, 3),
      momentum: round(score.momentum, 3),
      importance: round(score.importance, 3),
      activation: round(score.activation, 3),
      ttl_penalty: round(score.ttlPenalty, 3),
      supersession_penalty: round(score.supersessionPenalty, 3),
      activation_computed_at: memory.activation?.computedAt.toISOString() ?? null,
      ...(fused?.words
        ? {
            text_score: round(fused.words.score, 3),
            text_of_best: round(fused.words.ofBest, 3),
            ...(fused.shares ? { text_share: round(fused.shares.words, 3) } : {}),
            text_coverage: round(fused.words.coverage, 3),
            ...(fused.words.lent ? { text_context: round(fused.words.lent, 3) } : {}),
            rrf_fts_rank: fused.words.rank,
          }
        : {}),
      ...(fused?.vector
        ? {
            vector_cos: round(fused.vector.score, 3),
            vector_norm: round(fused.vectorNorm ?? 0, 3),
            ...(fused.shares ? { vector_share: round(fused.shares.vector, 3) } : {}),
            rrf_vec_rank: fused.vector.rank,
          }
        : {}),
    },
  };
}

interface Match {
  readonly fused: Fused | undefined;
  /** Undefined: the word search did not find it. */
  readonly met: MatchedFields | undefined;
  readonly heat: number;
  /** The content contains the trimmed query literally. */
  readonly isLiteral: boolean;
  /** The question names this memory's entity. */
  readonly isNamed: boolean;
}

/** Explains why a memory is in the answer, in the format of the API. */
function explain(memory: Memory, { fused, met, heat, isLiteral, isNamed }: Match): string[] {
  const reasons: string[] = [];
  if (met?.content) reasons.push(fused?.vector ? "content_match_dual" : "content_match_fts");
  if (isLiteral) reasons.push("content_substring");
  if (isNamed || met?.name) reasons.push("entity_name_match");
  if (met?.tags) reasons.push("tag_match");
  if (met?.context) reasons.push("context_match");
  if (fused?.vector) reasons.push("content_match_vector");
  if (fused?.vector && !(met?.content || met?.name || met?.tags)) reasons.push("vector_only");
  const band = bandOfUse(heat);
  if (band === "hot" || band === "warm") reasons.push(`heat:${band}`);
  const momentum = momentumBand(memory.entity.momentum);
  if (momentum === "active" || momentum === "surging") reasons.push("entity_active");
  if (isPinned(memory)) reasons.push("pinned");
  if (memory.importance >= 0.8) reasons.push("high_importance");
  if (memory.layer === "realize") reasons.push("realize_protected");
  const state = stateOf(memory);
  if (state === "archived") reasons.push("archive_explicit");
  if (state === "superseded") reasons.push("superseded_explicit");
  return reasons;
}
