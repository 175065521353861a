import { readCursor, type SteadyOrder } from "../answers/cursor.ts";
import type { ToolPorts } from "../tool.ts";
import type { CandidateList, Question } from "./candidates.ts";
import { measure } from "./ranking/measure.ts";

/** Lists the memories that pass the filters of a question without words. */
export async function listed(question: Question, cursor: string | undefined, ports: ToolPorts): Promise<CandidateList> {
  const order: SteadyOrder = question.sort === "importance" ? "important" : "newest";
  const after = cursor === undefined ? undefined : readCursor(cursor, order);
  const { filter: where, limit, offset } = question;
  // One row more than a page shows whether there is another page.
  const { total, memories } = await ports.store.memories.browse({ order, where, after, offset, limit: limit + 1 });
  const candidates = await measure(memories.slice(0, limit), new Map(), question, ports);
  return {
    candidates,
    total,
    list: { order, count: candidates.length, isCut: memories.length > limit },
    isLowerBound: false,
    search: "list",
    degraded: [],
    notReturned: [],
    warnings: [],
  };
}
