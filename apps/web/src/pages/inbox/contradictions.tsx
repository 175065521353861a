import { useState } from "react";
import { mergeMemories, updateMemory } from "../../api/changes.ts";
import { keepingNotes } from "../../api/inbox-notes.ts";
import type { QueueItem } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { AskReason } from "../../parts/dialog.tsx";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { useChange } from "../../parts/use-change.ts";
import type { QueueProps } from "./inbox.tsx";
import { Merge } from "./merge.tsx";
import { QueueList } from "./queue.tsx";
import { Side } from "./side.tsx";

type Contradiction = QueueItem<"contradictions">;

const reopen = ({ newer, older }: Pick<Contradiction, "newer" | "older">) =>
  updateMemory({ memory_id: newer.id, settle: "reopen", against: older.id });

const noted = ({ newer, older, note }: Contradiction) => [{ memory_id: newer.id, against: older.id, note }];

/** Pairs that say otherwise: one is kept, both hold, or they become one. */
export function Contradictions(props: QueueProps) {
  const changes = useChange();
  const [asking, setAsking] = useState<Contradiction>();
  const [merging, setMerging] = useState<Contradiction>();
  const settle = ({ newer, older }: Contradiction, how: "keep_this" | "keep_other" | "both_hold", reason?: string) => ({
    run: () =>
      updateMemory({
        ...{ memory_id: newer.id, expected_version: newer.version, settle: how },
        ...{ against: older.id, against_version: older.version },
        ...(reason === undefined ? {} : { reason }),
      }),
    message: text.inbox.settled,
    undo: () => reopen({ newer, older }),
  });
  const merge = ({ newer, older }: Contradiction, content: string) => ({
    run: () => mergeMemories([newer.id, older.id], content),
    message: text.inbox.merged,
    undo: () => reopen({ newer, older }),
  });
  return (
    <>
      <QueueList<Contradiction>
        queue="contradictions"
        {...props}
        {...changes}
        noted={noted}
        opens={({ newer }) => newer.id}
        keyOf={({ newer, older }) => `${newer.id} ${older.id}`}
        actions={[
          { key: "1", label: text.inbox.keepThis, changeOf: (pair) => settle(pair, "keep_this") },
          { key: "2", label: text.inbox.keepThat, changeOf: (pair) => settle(pair, "keep_other") },
          { key: "b", label: text.inbox.keepBoth, run: setAsking },
          { key: "m", label: text.inbox.merge, run: setMerging },
        ]}
      >
        {({ newer, older, reason, noted_at: at, statements }) => (
          <>
            <p className="meta">
              {reason !== null && <span className="chip chip-warn">{nameOf(text.inbox.rules, reason)}</span>}
              <When at={at * 1000} />
            </p>
            <div className="two sides">
              <Side row={newer} name={text.inbox.newer} statement={statements[0]} />
              <Side row={older} name={text.inbox.older} statement={statements[1]} />
            </div>
          </>
        )}
      </QueueList>
      {merging && (
        <Merge
          ids={[merging.newer.id, merging.older.id]}
          close={() => setMerging(undefined)}
          take={(content) => changes.change(keepingNotes("contradictions", noted(merging), merge(merging, content)))}
        />
      )}
      {asking && (
        // The reason must say when each of the two holds; otherwise the next reader faces the same question.
        <AskReason
          title={text.inbox.keepBoth}
          label={text.inbox.whenEach}
          close={() => setAsking(undefined)}
          take={(reason) =>
            changes.change(keepingNotes("contradictions", noted(asking), settle(asking, "both_hold", reason)))
          }
        />
      )}
    </>
  );
}
