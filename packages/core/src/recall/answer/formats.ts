import { framed } from "../../answers/sanitize-for-prompt.ts";
import { round, seconds, some } from "../../answers/wire.ts";
import type { Metadata } from "../../memory/metadata.ts";
import { titleOf } from "../../memory/summary-text.ts";
import { estimateTokens } from "../../text/tokens.ts";
import type { Candidate } from "../candidates.ts";
import { nearnessOf } from "./present.ts";

/** Formats of a memory other than the default. */
export const FORMATS = ["list", "index", "raw", "answer", "summary"] as const;
export type Format = (typeof FORMATS)[number];

export interface ShownMemory {
  readonly [key: string]: unknown;
  readonly id: number;
  readonly content: string;
}

/** Shows a memory in a format; `usual` is its default form. */
export function formatted<T extends ShownMemory>(
  format: Format,
  candidate: Candidate,
  usual: T,
  isExplained = false,
): ShownMemory {
  const { id } = usual;
  const { memory, same = [], earlier = [] } = candidate;
  const also = {
    ...nearnessOf(candidate),
    ...some("near_duplicates", same),
    ...some("earlier", earlier),
    ...(isExplained ? scoresOf(usual) : {}),
  };
  if (format === "list" || format === "answer") {
    const date = memory.createdAt.toISOString().slice(0, 10);
    return { id, content: `- [${date}] ${framed(usual.content)} (${memory.importance}) [memory:${id}]`, ...also };
  }
  if (format === "index" || format === "summary") {
    const tokens = estimateTokens(memory.content);
    return {
      id,
      content: framed(titleOf(memory)),
      layer: memory.layer,
      tokens_to_open: tokens,
      ...also,
    };
  }
  return {
    ...usual,
    uid: memory.uid,
    version: memory.version,
    visibility: memory.visibility,
    ...metadataOf(memory),
    tags: memory.tags,
    content_hash: memory.contentHash,
    author_id: memory.authorId,
    access_count: memory.accessCount,
    updated_at: seconds(memory.updatedAt),
    last_accessed_at: memory.lastAccessedAt ? seconds(memory.lastAccessedAt) : null,
    archived_at: memory.archivedAt ? seconds(memory.archivedAt) : null,
    archived_reason: memory.archivedReason ?? null,
    superseded_by_id: memory.supersededById ?? null,
    activation: memory.activation ? round(memory.activation.score, 3) : null,
  };
}

const scoresOf = ({ composite, match_reasons, score_breakdown }: ShownMemory) => ({
  composite,
  match_reasons,
  score_breakdown,
});

/** Metadata of a memory as answers show it. */
export const metadataOf = (memory: Metadata) => ({
  title: memory.title ?? null,
  name: memory.name ?? null,
  category: memory.category ?? null,
  confidence: round(memory.confidence, 3),
  certainty: memory.certainty,
  source_type: memory.sourceType,
  evidence: memory.evidence,
  git_commit: memory.gitCommit ?? null,
  git_branch: memory.gitBranch ?? null,
});
