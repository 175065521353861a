import { useNavigate } from "@tanstack/react-router";
import { bringBack, updateMemory } from "../../api/changes.ts";
import type { InboxNote, MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import type { Action } from "./queue.tsx";

/** A memory that waits, with its note. */
export type NotedRow = MemoryRow & { readonly note?: InboxNote };

export const notedOne = ({ id, note }: NotedRow) => [{ memory_id: id, note }];

/** Properties of a queue of single memories. */
export const SINGLE = {
  noted: notedOne,
  opens: ({ id }: NotedRow) => id,
  keyOf: ({ id }: NotedRow) => String(id),
};

/** Actions for a queue of single memories: archive one, or correct it on its own page. */
export function useRowActions(): Action<MemoryRow>[] {
  const navigate = useNavigate();
  return [
    {
      key: "a",
      label: text.memory.archive,
      changeOf: ({ id, version }) => ({
        run: () => updateMemory({ memory_id: id, archived: true, expected_version: version }),
        message: text.inbox.archived(id),
        undo: () => bringBack(id),
      }),
    },
    {
      key: "e",
      label: text.inbox.correct,
      run: ({ id }) => void navigate({ to: "/memories/$id", params: { id: String(id) } }),
    },
  ];
}
