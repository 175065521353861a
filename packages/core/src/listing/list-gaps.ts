import { z } from "zod";
import { numeral } from "../arguments/numeral.ts";
import type { Store } from "../ports/store.ts";
import { readFields } from "../tool.ts";

export const GAP_FIELDS = z.strictObject({ limit: numeral(1, 500).default(100) });

/** Lists questions that found nothing. */
export async function listGaps(given: unknown, { gaps }: Pick<Store, "gaps">) {
  const found = await gaps.list(readFields(GAP_FIELDS, given).limit);
  return found.map(({ question, project, times, firstAt, lastAt }) => ({
    question,
    ...(project === undefined ? {} : { project }),
    ...{ times, first_at: firstAt.toISOString(), last_at: lastAt.toISOString() },
  }));
}
