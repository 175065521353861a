import { bandOfUse } from "../../lifecycle/heat.ts";
import { momentumBand } from "../../lifecycle/momentum.ts";
import { isPinned, type Memory, stateOf } from "../../memory/memory.ts";
import type { MatchedFields } from "../matched-fields.ts";
import type { Fused } from "../ranking/fuse.ts";

export interface Match {
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
export function explain(memory: Memory, { fused, met, heat, isLiteral, isNamed }: Match): string[] {
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
