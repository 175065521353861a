import { ChestError } from "@chest/contracts";
import type { WorkItem, WorkReads } from "../ports/work.ts";
import { wellFormed } from "../text/characters.ts";

const ID = /^w#?(\d{1,15})$/i;
const ORDINAL = /^#?(\d{1,6})$/;

/** Id of a work item in texts; a bare number is a position in the list. */
export const workId = (id: number): string => `W#${id}`;

/**
 * Finds items by id, such as `W#17`, or by position in a project's list of open items. Ids reach every project that the
 * caller may open. Throws for an unknown item, and for a closed one unless closed ones are allowed.
 */
export async function findWork(
  references: readonly string[],
  { field, projectKey, withClosed = false }: { field: string; projectKey: string | undefined; withClosed?: boolean },
  work: WorkReads,
): Promise<readonly WorkItem[]> {
  const open = await work.open(projectKey);
  const found = new Map<number, WorkItem>();
  for (const reference of references) {
    const item = await one(reference.trim(), field, open, work);
    if (item.status !== "open" && !withClosed) throw closedAlready(item, field);
    found.set(item.id, item);
  }
  return [...found.values()];
}

async function one(input: string, field: string, open: readonly WorkItem[], work: WorkReads): Promise<WorkItem> {
  const id = ID.exec(input)?.[1];
  if (id !== undefined) {
    const item = await work.byId(Number(id));
    if (item) return item;
    throw notFound(`${field}: there is no work item ${workId(Number(id))}`, field, input);
  }
  const ordinal = ORDINAL.exec(input)?.[1];
  if (ordinal === undefined) {
    throw new ChestError("INVALID_INPUT", `${field}: \`${wellFormed(input)}\` names no work item`, {
      hint: "write the id, like `W#17`, or the place in the list of open work, like `1`",
      details: { field, given: wellFormed(input) },
    });
  }
  const item = open[Number(ordinal) - 1];
  if (item) return item;
  const has = open.length === 0 ? "no open work" : `${open.length} open, numbered 1 to ${open.length}`;
  throw notFound(`${field}: there is no number ${Number(ordinal)} here: this project has ${has}`, field, input);
}

const notFound = (message: string, field: string, input: string): ChestError =>
  new ChestError("NOT_FOUND", message, {
    hint: "call `chest_work` with `action: list`; an id is written `W#17`",
    details: { field, given: input },
  });

function closedAlready({ id, status, closedAt, closedByMemoryId: by }: WorkItem, field: string): ChestError {
  const when = closedAt === undefined ? "" : ` on ${closedAt.toISOString().slice(0, 10)}`;
  const where = by === undefined ? "" : `, see [memory:${by}]`;
  const hint =
    field === "id" ? "nothing is left to do; `action: reopen` opens it again" : "leave it out and call again";
  return new ChestError("ALREADY_DONE", `${field}: ${workId(id)} is ${status} already${when}${where}`, {
    hint,
    details: { field, work_id: workId(id), status },
  });
}
