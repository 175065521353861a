import type { Filter, Space } from "@chest/core";
import { condition as shared } from "@chest/store/database/condition";
import { boundAll, SQLITE } from "../database/async-connection.ts";

export { isNarrow } from "@chest/store/database/condition";
export type Condition = ReturnType<typeof condition>;

/** A filter as a predicate over `memories m`, with its values as the driver takes them. */
export function condition(where: Omit<Filter, "reach">, spaces: readonly Space[]) {
  const { sql, values } = shared(SQLITE, where, spaces);
  return { sql, values: boundAll(values) };
}
