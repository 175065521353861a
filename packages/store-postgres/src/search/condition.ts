import type { Space } from "@chest/core";
import { type Condition, type DatedFilter, EXPIRED, condition as shared } from "@chest/store/database/condition";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";

export { type Condition, type DatedFilter, isNarrow } from "@chest/store/database/condition";

/** The spaces of `memories m`, as a predicate: every statement that reads for a caller has it. */
export const inSpaces = (spaces: readonly Space[]): Condition => ({ sql: "m.space = ANY (?)", values: [spaces] });

/** A filter as a predicate over `memories m`. */
export const condition = (where: DatedFilter, spaces: readonly Space[]): Condition => shared(POSTGRES, where, spaces);

/** Whether rows have expired that the postings do not know as such. */
export const hasExpired = async (connection: Reading, { withArchived, nowS }: DatedFilter): Promise<boolean> =>
  !withArchived && (await connection.get(`SELECT 1 ${EXPIRED} LIMIT 1`, nowS)) !== undefined;
