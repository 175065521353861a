import { ChestError } from "@chest/contracts";
import type { Memory } from "../memory/memory.ts";
import type { BrowseOrder, BrowsePlace } from "../ports/store.ts";
import { parsedJson } from "../text/json.ts";
import { seconds } from "./wire.ts";

/** Orders in which a memory keeps its place while it is only read. */
export type SteadyOrder = Exclude<BrowseOrder, "used" | "hot">;

const PLACES: Readonly<Record<SteadyOrder, (memory: Memory) => BrowsePlace>> = {
  newest: ({ createdAt, id }) => [seconds(createdAt), id],
  oldest: ({ createdAt, id }) => [seconds(createdAt), id],
  important: ({ importance, createdAt, id }) => [importance, seconds(createdAt), id],
  archived: ({ archivedAt, id }) => [archivedAt === undefined ? 0 : seconds(archivedAt), id],
};

/** Values that a memory is ordered by. */
const placeOf = (order: SteadyOrder, memory: Memory): BrowsePlace => PLACES[order](memory);

/** Cursor behind a memory: it holds while memories are written, archived or purged. */
export const cursorAfter = (order: SteadyOrder, memory: Memory): string =>
  Buffer.from(JSON.stringify([order, ...placeOf(order, memory)])).toString("base64url");

const LENGTHS: Readonly<Record<SteadyOrder, number>> = { newest: 2, oldest: 2, important: 3, archived: 2 };

/** Reads the cursor of an earlier page; `INVALID_INPUT` for one of another order, or of none. */
export function readCursor(input: string, order: SteadyOrder): BrowsePlace {
  const read = parsedJson(Buffer.from(input, "base64url").toString("utf8"));
  const [of, ...place] = Array.isArray(read) ? read : [];
  const isPlace = place.length === LENGTHS[order] && place.every((each) => Number.isFinite(each));
  if (of === order && isPlace) return place;
  throw new ChestError("INVALID_INPUT", "cursor: this is not a cursor of this list", {
    hint: "give `next_cursor` of the page before, with the same `sort`; or leave `cursor` out to start over",
    details: { field: "cursor" },
  });
}
