import { isPinned } from "../memory/memory.ts";
import { round, seconds, some } from "../wire.ts";
import type { Candidate, Question } from "./candidates.ts";
import { explain } from "./explain.ts";
import { snippet } from "./snippet.ts";
import { whereMet } from "./where.ts";

interface Shape {
  readonly ids?: readonly number[] | undefined;
  readonly snippet_mode: boolean;
  readonly snippet_window: number;
}

/** A candidate as the caller sees it. */
export function present(candidate: Candidate, { query, filter }: Question, shape: Shape) {
  const { memory, fused, score, heat, band } = candidate;
  const isWhole = !shape.snippet_mode || shape.ids !== undefined;
  const cut = isWhole
    ? { text: memory.content, isCut: false }
    : snippet(memory.content, [...(query?.words ?? []), ...(query?.grams ?? [])], shape.snippet_window);
  return {
    id: memory.id,
    entity: {
      id: memory.entity.id,
      name: memory.entity.name,
      kind: memory.entity.kind,
      momentum: round(memory.entity.momentum, 2),
    },
    layer: memory.layer,
    content: cut.text,
    ...(cut.isCut ? { content_truncated: true as const } : {}),
    ...(memory.tags.length > 0 ? { tags: memory.tags } : {}),
    importance: memory.importance,
    created_at: seconds(memory.createdAt),
    ...(memory.expiresAt ? { expires_at: seconds(memory.expiresAt) } : {}),
    pinned: isPinned(memory),
    heat: round(heat, 1),
    band,
    ...some("near_duplicates", candidate.same ?? []),
    composite: round(score.composite, 3),
    match_reasons: explain(memory, {
      fused,
      met: query && fused?.words && whereMet(memory, query, fused.words),
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
