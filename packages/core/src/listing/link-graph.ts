import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { noSuchMemory } from "../access/refusals.ts";
import { rowsOf } from "../answers/row.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { numeral } from "../arguments/numeral.ts";
import { defineOperation } from "../operation.ts";
import type { Link } from "../ports/listings.ts";
import { LIST_FIELDS } from "./list-memories.ts";

/** A larger graph can be neither drawn legibly nor read; a whole one has brought browsers to a halt. */
const MOST_NODES = 300;
const MOST_STEPS = 4;

const GRAPH_FIELDS = z.strictObject({
  steps: numeral(1, MOST_STEPS).default(2).describe("How many links away"),
  limit: numeral(1, MOST_NODES).default(MOST_NODES).describe("Most memories, the nearest first"),
});

/** Reads the memories that one is linked with, directly or over others, and the links between all of them. */
export const linkGraph = defineOperation({
  endpoint: endpoints.memoryGraph,
  params: LIST_FIELDS.one,
  query: GRAPH_FIELDS,
  isPlaced: true,
  async run({ params: { id }, query: { steps, limit } }, { store }) {
    if (!(await store.memories.byId(id))) throw noSuchMemory(id);
    const away = new Map([[id, 0]]);
    let isCut = false;
    let edge = [id];
    for (let step = 1; step <= steps && edge.length > 0; step++) {
      const found = (await store.listings.links(edge)).flatMap(({ from, to }) => [from, to]);
      edge = [...new Set(found)].filter((each) => !away.has(each));
      isCut ||= edge.length > limit - away.size;
      edge = edge.slice(0, Math.max(0, limit - away.size));
      for (const each of edge) away.set(each, step);
    }
    const links = (await store.listings.links([...away.keys()])).filter(
      ({ from, to }) => away.has(from) && away.has(to),
    );
    const rows = await rowsOf(await store.memories.byIds([...away.keys()]), store);
    return {
      _notice: NOTICE,
      ok: true as const,
      is_cut: isCut,
      memories: rows.map((row) => ({ ...row, steps: away.get(row.id) ?? 0 })),
      links: links.map(({ from, to, type, note }: Link) => ({
        from,
        to,
        type,
        ...(note === undefined ? {} : { note }),
      })),
    };
  },
});
