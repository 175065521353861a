import { useState } from "react";
import { bringBack, type Change, mergeMemories, updateMemory } from "../../api/changes.ts";
import { keepingNotes } from "../../api/inbox-notes.ts";
import { type InboxPart, type MemoryRow, type QueueItem, readQueue } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { nameOf } from "../../parts/memory-bits.tsx";
import { useChange } from "../../parts/use-change.ts";
import { type Cluster, clustersOf } from "./clusters.ts";
import type { QueueProps } from "./inbox.tsx";
import { Merge } from "./merge.tsx";
import { QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

type Duplicate = QueueItem<"duplicates">;
type MemoryGroup = Cluster<MemoryRow, Duplicate>;

const noted = ({ pairs }: MemoryGroup) =>
  pairs.map(({ newer, older, note }) => ({ memory_id: newer.id, against: older.id, note }));

/** Most pairs of one request. A group of n memories needs n - 1 pairs. */
const MOST_PAIRS = 200;
/** Shown beside each other; more stand below as lines. */
const MOST_SIDES = 4;

async function readClusters(part: InboxPart) {
  const { items, total } = await readQueue("duplicates", part, MOST_PAIRS);
  const clusters = clustersOf<MemoryRow, Duplicate>(items);
  return { items: clusters, total: clusters.length + Math.max(0, total - items.length) };
}

/** Groups that say much the same: one is kept, they become one, or they are different things. */
export function Duplicates(props: QueueProps) {
  const changes = useChange();
  const [merging, setMerging] = useState<MemoryGroup>();
  const keep = ({ rows }: MemoryGroup, kept: MemoryRow | undefined) => {
    const others = rows.filter((row) => row !== kept);
    return {
      async run() {
        for (const { id, version } of others)
          await updateMemory({ memory_id: id, archived: true, expected_version: version });
      },
      message: text.inbox.archivedSome(others.length),
      async undo() {
        for (const { id } of others) await bringBack(id);
      },
    };
  };
  const merge = (group: MemoryGroup, content: string) => {
    const ids = group.rows.map(({ id }) => id);
    const merging: Change<Awaited<ReturnType<typeof mergeMemories>>> = {
      run: () => mergeMemories(ids, content),
      message: text.inbox.merged,
      async undo({ memory_id: into, merged = [] }) {
        for (const id of merged) await bringBack(id);
        if (into !== undefined) await updateMemory({ memory_id: into, archived: true });
      },
    };
    changes.change(keepingNotes("duplicates", noted(group), merging));
  };
  const differ = ({ rows }: MemoryGroup) => {
    const pairs = rows.slice(1).map(({ id }, nth) => [rows[nth]?.id ?? id, id] as const);
    const each = async (settle: "different" | "reopen") => {
      for (const [memory_id, against] of pairs) await updateMemory({ memory_id, settle, against });
    };
    return { run: () => each("different"), message: text.inbox.settled, undo: () => each("reopen") };
  };
  return (
    <>
      <QueueList<MemoryGroup>
        queue="duplicates"
        {...props}
        {...changes}
        noted={noted}
        read={readClusters}
        opens={({ rows }) => rows[0]?.id ?? 0}
        keyOf={({ rows }) => rows.map(({ id }) => id).join(" ")}
        actions={[
          { key: "1", label: text.inbox.keepThis, changeOf: (group) => keep(group, group.rows[0]) },
          { key: "2", label: text.inbox.keepThat, changeOf: (group) => keep(group, group.rows.at(-1)) },
          { key: "m", label: text.inbox.merge, run: setMerging },
          { key: "d", label: text.inbox.different, changeOf: differ },
        ]}
      >
        {({ rows, likeness, by }) => (
          <>
            <p className="meta">
              <span className="chip">
                {text.inbox.alike(number(likeness, { style: "percent" }), nameOf(text.inbox.alikeBy, by))}
              </span>
              {rows.length > 2 && <span>{text.search.results(rows.length, false)}</span>}
            </p>
            <div className="two sides">
              {rows.slice(0, MOST_SIDES).map((row, nth) => (
                <Side key={row.id} row={row} name={nth === 0 ? text.inbox.newer : text.inbox.older} />
              ))}
            </div>
            {rows.length > MOST_SIDES && (
              <p className="meta">
                {rows.slice(MOST_SIDES).map(({ id, title }) => (
                  <span key={id} title={title}>
                    #{id}
                  </span>
                ))}
              </p>
            )}
          </>
        )}
      </QueueList>
      {merging && (
        <Merge
          ids={merging.rows.map(({ id }) => id)}
          close={() => setMerging(undefined)}
          take={(content) => merge(merging, content)}
        />
      )}
    </>
  );
}
