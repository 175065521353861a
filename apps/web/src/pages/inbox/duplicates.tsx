import { bringBack, mergeMemories, updateMemory, useChange } from "../../api/changes.ts";
import type { MemoryRow } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

interface Duplicate {
  readonly newer: MemoryRow;
  readonly older: MemoryRow;
  readonly likeness: number;
  /** Tags or words. */
  readonly by: string;
}

/** Pairs that say much the same: one is kept, they become one, or they are two things. */
export function Duplicates({ canWrite }: QueueProps) {
  const { change, undo } = useChange();
  const archive = ({ id, version }: MemoryRow) =>
    change({
      run: () => updateMemory({ memory_id: id, archived: true, expected_version: version }),
      told: text.inbox.archived(id),
      undo: () => bringBack(id),
    });
  const merge = ({ newer, older }: Duplicate) =>
    change({
      run: () => mergeMemories([newer.id, older.id]),
      told: text.inbox.merged,
      async undo({ memory_id: into, merged = [] }) {
        for (const id of merged) await bringBack(id);
        if (into !== undefined) await updateMemory({ memory_id: into, archived: true });
      },
    });
  const differ = ({ newer, older }: Duplicate) =>
    change({
      run: () => updateMemory({ memory_id: newer.id, settle: "different", against: older.id }),
      told: text.inbox.settled,
      undo: () => updateMemory({ memory_id: newer.id, settle: "reopen", against: older.id }),
    });
  return (
    <QueueList<Duplicate>
      view="duplicates"
      canWrite={canWrite}
      undo={undo}
      opens={({ newer }) => newer.id}
      keyOf={({ newer, older }) => `${newer.id} ${older.id}`}
      actions={[
        { key: "1", label: text.inbox.keepThis, run: ({ older }) => archive(older) },
        { key: "2", label: text.inbox.keepThat, run: ({ newer }) => archive(newer) },
        { key: "m", label: text.inbox.merge, run: merge },
        { key: "d", label: text.inbox.different, run: differ },
      ]}
    >
      {({ newer, older, likeness, by }) => (
        <>
          <p className="meta">
            <span className="chip">
              {text.inbox.alike(number(likeness, { style: "percent" }), nameOf(text.inbox.alikeBy, by))}
            </span>
          </p>
          <div className="two sides">
            <Side row={newer} name={text.inbox.newer} />
            <Side row={older} name={text.inbox.older} />
          </div>
        </>
      )}
    </QueueList>
  );
}
