import type { CountedRows } from "@chest/core/ports";
import { Gauge, type Registry } from "prom-client";

/** Makes gauges that are read at each scrape. */
export const gaugesIn =
  (registry: Registry) =>
  (name: string, help: string, read: () => number | Promise<number>): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });

/** Adds gauges of stored rows. The rows are counted now and then; until the first count the gauges are absent. */
export function addRowCounts(registry: Registry, counted: () => Promise<CountedRows | undefined>): void {
  const registers = [registry];
  // All gauges of one scrape share one query.
  let cached: { readonly until: number; readonly answer: Promise<CountedRows | undefined> } | undefined;
  const current = () => {
    if (!cached || performance.now() > cached.until) cached = { until: performance.now() + 1000, answer: counted() };
    return cached.answer;
  };
  const gauge = (name: string, help: string, read: (rows: CountedRows) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const rows = await current();
        if (rows) this.set(read(rows));
        else this.remove();
      },
    });
  new Gauge({
    name: "chest_memories",
    help: "Memories, by state",
    registers,
    labelNames: ["state"] as const,
    async collect() {
      const rows = await current();
      for (const state of ["live", "archived", "superseded"] as const) if (rows) this.set({ state }, rows[state]);
    },
  });
  gauge("chest_pending", "Live memories without a vector of the active model", ({ pending }) => pending);
  gauge("chest_vectors", "Vectors of all models", ({ vectors }) => vectors);
  gauge("chest_entities", "What memories are about", ({ entities }) => entities);
  gauge("chest_counted_age_seconds", "Age of these counts of rows", ({ ageS }) => ageS);
}
