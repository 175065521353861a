import { useNavigate } from "@tanstack/react-router";
import { bringBack, updateMemory, useChange } from "../../api/changes.ts";
import type { MemoryRow, WholeMemory } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Sources } from "../memory/sources.tsx";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

type StaleRow = MemoryRow & { readonly sources: WholeMemory["sources"] };

/** Memories whose files have changed or gone since: archived, or corrected on the memory's own page. */
export function Stale({ canWrite }: QueueProps) {
  const { change, undo } = useChange();
  const navigate = useNavigate();
  return (
    <QueueList<StaleRow>
      view="stale"
      canWrite={canWrite}
      undo={undo}
      opens={({ id }) => id}
      keyOf={({ id }) => String(id)}
      actions={[
        {
          key: "a",
          label: text.memory.archive,
          run: ({ id, version }) =>
            change({
              run: () => updateMemory({ memory_id: id, archived: true, expected_version: version }),
              told: text.inbox.archived(id),
              undo: () => bringBack(id),
            }),
        },
        {
          key: "e",
          label: text.inbox.correct,
          run: ({ id }) => void navigate({ to: "/memories/$id", params: { id: String(id) } }),
        },
      ]}
    >
      {(row) => (
        <>
          <Side row={row} />
          <Sources sources={row.sources} />
        </>
      )}
    </QueueList>
  );
}
