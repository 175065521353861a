import type { Space } from "@chest/core/access";
import { type DatedFilter, EXPIRED, condition as shared } from "@chest/store/database/condition";
import { boundAll, SQLITE } from "../database/async-connection.ts";
import type { Connection } from "../database/connection.ts";

export { type DatedFilter, isNarrow } from "@chest/store/database/condition";
export type Condition = ReturnType<typeof condition>;

/** A filter as a predicate over `memories m`, with its values as the driver takes them. */
export function condition(where: DatedFilter, spaces: readonly Space[]) {
  const { sql, values } = shared(SQLITE, where, spaces);
  return { sql, values: boundAll(values) };
}

/** Whether rows have expired that the text index and the vectors do not know as such. */
export const hasExpired = (connection: Connection, { withArchived, nowS }: DatedFilter): boolean =>
  !withArchived && connection.get(`SELECT 1 ${EXPIRED} LIMIT 1`, nowS) !== undefined;
