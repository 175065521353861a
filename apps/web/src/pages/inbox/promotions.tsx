import { updateMemory, useChange } from "../../api/changes.ts";
import type { MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import type { QueueProps } from "./inbox.tsx";
import { type Action, QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

/** Memories that wait for an admin before the team sees them; an author may take its own back. */
export function Promotions({ canWrite, isAdmin }: QueueProps) {
  const { change, undo } = useChange();
  const approve = ({ id, version }: MemoryRow) =>
    change({
      run: () => updateMemory({ memory_id: id, promotion: "approve", expected_version: version }),
      told: text.inbox.approved,
      undo: () => updateMemory({ memory_id: id, visibility: "private" }),
    });
  const decline = ({ id, version }: MemoryRow) =>
    change({
      run: () => updateMemory({ memory_id: id, promotion: "decline", expected_version: version }),
      told: text.inbox.declined,
    });
  const actions: Action<MemoryRow>[] = [{ key: "n", label: text.inbox.decline, run: decline }];
  if (isAdmin) actions.unshift({ key: "y", label: text.inbox.approve, run: approve });
  return (
    <QueueList<MemoryRow>
      view="promotions"
      canWrite={canWrite}
      undo={undo}
      opens={({ id }) => id}
      keyOf={({ id }) => String(id)}
      actions={actions}
    >
      {(row) => <Side row={row} />}
    </QueueList>
  );
}
