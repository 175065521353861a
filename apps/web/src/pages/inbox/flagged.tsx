import { useNavigate } from "@tanstack/react-router";
import { bringBack, updateMemory, useChange } from "../../api/changes.ts";
import type { MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

/** Texts that speak to agents, or hide something: archived, or corrected on the memory's own page. */
export function Flagged({ canWrite }: QueueProps) {
  const { change, undo } = useChange();
  const navigate = useNavigate();
  return (
    <QueueList<MemoryRow>
      view="flagged"
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
