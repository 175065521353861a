import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { defineOperation } from "../operation.ts";
import * as field from "../tools/fields.ts";
import { VIEWS } from "../views/index.ts";

const DAY_MS = 86_400_000;

/** Totals over what the caller may see, and on request by day. */
export const storeStats = defineOperation({
  endpoint: endpoints.stats,
  query: z.strictObject({
    project: field.askedProject(),
    series: z.enum(["day"]).optional(),
    days: z.coerce.number().int().min(1).max(3660).default(90).describe("How far back a series goes"),
  }),
  isPlaced: true,
  async run({ query: { project, series, days } }, ports) {
    const { memories, listings } = ports.store;
    const reach = field.readReach(project);
    const { items } = await VIEWS.stats.read({ reach, limit: 1, offset: 0 }, ports);
    const stats = items[0] as { memories: number };
    if (series === undefined) return { ok: true as const, stats };
    const since = new Date(ports.clock.now().getTime() - days * DAY_MS);
    const [made, opened] = [await memories.activity(reach, since), await listings.openings(reach, since)];
    return { ok: true as const, stats, series: byDay(made, opened) };
  },
});

/** Joins two counts per day; a day with only one of them gets zero for the other. */
function byDay(
  made: readonly { readonly day: string; readonly memories: number }[],
  opened: readonly { readonly day: string; readonly openings: number }[],
) {
  const memories = new Map(made.map(({ day, memories: count }) => [day, count]));
  const openings = new Map(opened.map(({ day, openings: count }) => [day, count]));
  const days = [...new Set([...memories.keys(), ...openings.keys()])].sort();
  return days.map((day) => ({ day, memories: memories.get(day) ?? 0, openings: openings.get(day) ?? 0 }));
}
