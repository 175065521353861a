import type { Filter, Space } from "@chest/core";
import { type Condition, condition as shared } from "@chest/store/database/condition";
import { POSTGRES } from "../database/dialect.ts";

export { type Condition, isNarrow } from "@chest/store/database/condition";

/** The spaces of `memories m`, as a predicate: every statement that reads for a caller has it. */
export const inSpaces = (spaces: readonly Space[]): Condition => ({ sql: "m.space = ANY (?)", values: [spaces] });

/** A filter as a predicate over `memories m`. */
export const condition = (where: Omit<Filter, "reach">, spaces: readonly Space[]): Condition =>
  shared(POSTGRES, where, spaces);
