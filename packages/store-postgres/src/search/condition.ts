import type { Space } from "@chest/core/access";
import { type Condition, type DatedFilter, EXPIRED, condition as shared } from "@chest/store/database/condition";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";

export { type Condition, type DatedFilter, isNarrow } from "@chest/store/database/condition";

/** Condition for the spaces of `memories m`, which every read for a caller contains. */
export const inSpaces = (spaces: readonly Space[]): Condition => ({ sql: "m.space = ANY (?)", values: [spaces] });

/** A filter as a condition over `memories m`. */
export const condition = (where: DatedFilter, spaces: readonly Space[]): Condition => shared(POSTGRES, where, spaces);

/** Whether memories have expired that the postings still list as live. */
export const hasExpired = async (connection: Reading, { withArchived, nowS }: DatedFilter): Promise<boolean> =>
  !withArchived && (await connection.get(`SELECT 1 ${EXPIRED} LIMIT 1`, nowS)) !== undefined;
