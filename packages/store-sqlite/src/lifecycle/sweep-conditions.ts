import { LAYER_RULES, LAYERS, PINNED_FROM, type Space } from "@chest/core";

/** Rows that a sweep covers. */
export interface Where {
  /** Null: the whole store. */
  readonly spaces: readonly Space[] | null;
  /** Ids that are left out. */
  readonly without: readonly number[];
  readonly nowS: number;
}

const PROTECTED_LAYERS = LAYERS.filter((layer) => LAYER_RULES[layer].isProtected);

/** No pass touches what is protected; turns of conversations have a pass of their own. */
export const UNPROTECTED = `(m.conversation_id IS NULL AND m.importance < ${PINNED_FROM} AND m.layer NOT IN ('${PROTECTED_LAYERS.join("', '")}'))`;

/** Summaries stay while what they stand for is out of sight. */
export const NO_SUMMARY = "m.id NOT IN (SELECT summary_id FROM consolidations WHERE undone_at IS NULL)";

/** SQL condition, with values, for the spaces that a sweep covers. */
export function inPlace({ spaces }: Where): { readonly sql: string; readonly values: readonly string[] } {
  if (spaces === null) return { sql: "1", values: [] };
  return { sql: "m.space IN (SELECT value FROM json_each(?))", values: [JSON.stringify(spaces)] };
}
