import type { Space } from "@chest/core/access";
import { LAYER_RULES, LAYERS, PINNED_FROM } from "@chest/core/memory";
import type { Condition } from "../database/condition.ts";
import type { Dialect } from "../database/dialect.ts";

/** Rows that a sweep covers. */
export interface Where {
  /** Undefined: the whole store. */
  readonly spaces: readonly Space[] | undefined;
  /** Ids to leave out. */
  readonly without: readonly number[];
  readonly nowS: number;
}

const PROTECTED_LAYERS = LAYERS.filter((layer) => LAYER_RULES[layer].isProtected);

/** No pass changes protected memories; conversation turns have their own pass. */
export const UNPROTECTED = `(m.conversation_id IS NULL AND m.importance < ${PINNED_FROM} AND m.layer NOT IN ('${PROTECTED_LAYERS.join("', '")}'))`;

/** Summaries stay while their members are archived. */
export const NO_SUMMARY =
  "NOT EXISTS (SELECT 1 FROM consolidations c WHERE c.summary_id = m.id AND c.undone_at IS NULL)";

/** Condition for the spaces that a sweep covers. */
export const inPlace = (d: Dialect, { spaces }: Where): Condition =>
  spaces === undefined ? { sql: "true", values: [] } : { sql: d.isOneOf("m.space"), values: [spaces] };
