import type { paths } from "chest-memory-sdk";
import type { Change } from "./changes.ts";
import { answer, chest } from "./client.ts";
import type { InboxNote, Queue } from "./queries.ts";

/** Memory or pair of memories that a note of the inbox belongs to. */
export interface NotedPlace {
  readonly memory_id: number;
  readonly against?: number;
  readonly note?: InboxNote | undefined;
}

/** Change of a note. An absent field stays as it is; null clears it. */
type NoteChange = Omit<paths["/api/inbox"]["post"]["requestBody"]["content"]["application/json"], "items">;

const put = (queue: Queue, places: readonly NotedPlace[], change: NoteChange) =>
  answer(
    chest.POST("/api/inbox", {
      params: {},
      body: { items: places.map(({ note: _, ...place }) => ({ queue, ...place })), ...change },
    }),
  );

/** Restores the notes of some items. A snooze whose time has passed is not restored. */
async function putBack(queue: Queue, places: readonly NotedPlace[]): Promise<void> {
  for (const place of places) {
    const { assignee = null, snoozed_until: until = 0, reason = null } = place.note ?? {};
    const snooze_until = until * 1000 > Date.now() ? String(until) : null;
    const isKept = assignee !== null || snooze_until !== null;
    await put(queue, [place], { assignee, snooze_until, reason: isKept ? reason : null });
  }
}

/** Changes the notes of items: assigns, snoozes or wakes them. */
export const changeOfNote = (
  queue: Queue,
  places: readonly NotedPlace[],
  change: NoteChange,
  message: string,
): Change<unknown> => ({
  run: () => put(queue, places, change),
  message,
  undo: () => putBack(queue, places),
});

/** Wraps a decision, which deletes the notes of its items, so that its undo restores the notes as well. */
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
