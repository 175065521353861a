import { useChange } from "../../api/changes.ts";
import type { MemoryRow, WholeMemory } from "../../api/queries.ts";
import { Sources } from "../memory/sources.tsx";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { useRowActions } from "./row-actions.ts";
import { Side } from "./side.tsx";

type StaleRow = MemoryRow & { readonly sources: WholeMemory["sources"] };

/** Memories whose files have changed or gone since: archived, or corrected on the memory's own page. */
export function Stale({ canWrite }: QueueProps) {
  const { change, undo } = useChange();
  const actions = useRowActions({ change });
  return (
    <QueueList<StaleRow>
      view="stale"
      canWrite={canWrite}
      undo={undo}
      opens={({ id }) => id}
      keyOf={({ id }) => String(id)}
      actions={actions}
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
