import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { numeral } from "../arguments/numeral.ts";
import { defineOperation } from "../operation.ts";

/** Lists questions that found nothing. */
export const listGaps = defineOperation({
  endpoint: endpoints.listGaps,
  query: z.strictObject({ limit: numeral(1, 500).default(100) }),
  isPlaced: true,
  async run({ query: { limit } }, { store, keepsGaps = false }) {
    const found = await store.gaps.list(limit);
    const gaps = found.map(({ question, project, times, firstAt, lastAt }) => ({
      question,
      ...(project === undefined ? {} : { project }),
      ...{ times, first_at: firstAt.toISOString(), last_at: lastAt.toISOString() },
    }));
    return { ok: true as const, is_kept: keepsGaps, gaps };
  },
});
