import { useChange } from "../../api/changes.ts";
import type { MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { useRowActions } from "./row-actions.ts";
import { Side } from "./side.tsx";

/** Texts that speak to agents, or hide something: archived, or corrected on the memory's own page. */
export function Flagged({ canWrite }: QueueProps) {
  const { change, undo } = useChange();
  const actions = useRowActions({ change });
  return (
    <QueueList<MemoryRow>
      view="flagged"
      canWrite={canWrite}
      undo={undo}
      opens={({ id }) => id}
      keyOf={({ id }) => String(id)}
      actions={actions}
    >
      {(row) => (
        <>
          <p className="meta">
            {row.flagged?.map((flag) => (
              <span key={flag} className="chip chip-warn">
                {nameOf(text.flags, flag)}
              </span>
            ))}
          </p>
          <Side row={row} />
        </>
      )}
    </QueueList>
  );
}
