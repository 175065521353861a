import type { paths } from "chest-memory-sdk";
import type { Change } from "./changes.ts";
import { answer, chest } from "./client.ts";
import type { InboxNote, Queue } from "./queries.ts";

/** One of the places where an item of the inbox has a note: its memory, or a pair of a group. */
export interface NotedPlace {
  readonly memory_id: number;
  readonly against?: number;
  readonly note?: InboxNote | undefined;
}

/** Change of a note; a field that is left out stays, and null clears it. */
type NoteChange = Omit<paths["/api/inbox"]["post"]["requestBody"]["content"]["application/json"], "items">;

const put = (queue: Queue, places: readonly NotedPlace[], change: NoteChange) =>
  answer(
    chest.POST("/api/inbox", {
      params: {},
      body: { items: places.map(({ note: _, ...place }) => ({ queue, ...place })), ...change },
    }),
  );

/** Gives places the notes that they had. A time that has passed is none. */
async function putBack(queue: Queue, places: readonly NotedPlace[]): Promise<void> {
  for (const place of places) {
    const { assignee = null, snoozed_until: until = 0, reason = null } = place.note ?? {};
    const snooze_until = until * 1000 > Date.now() ? String(until) : null;
    const isKept = assignee !== null || snooze_until !== null;
    await put(queue, [place], { assignee, snooze_until, reason: isKept ? reason : null });
  }
}

/** Assigns an item, puts it off, or wakes it. */
export const changeOfNote = (
  queue: Queue,
  places: readonly NotedPlace[],
  change: NoteChange,
  told: string,
): Change<unknown> => ({
  run: () => put(queue, places, change),
  told,
  undo: () => putBack(queue, places),
});

/** A decision, which takes the note of its item away: undo brings both back. */
export function keepingNotes<Done>(
  queue: Queue,
  places: readonly NotedPlace[],
  { undo, ...change }: Change<Done>,
): Change<Done> {
  if (!undo) return change;
  return {
    ...change,
    async undo(done) {
      await undo(done);
      await putBack(
        queue,
        places.filter(({ note }) => note !== undefined),
      );
    },
  };
}
