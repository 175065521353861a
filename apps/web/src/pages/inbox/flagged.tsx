import { useState } from "react";
import { clearingFlags } from "../../api/changes.ts";
import { keepingNotes } from "../../api/inbox-notes.ts";
import { text } from "../../i18n/index.ts";
import { AskReason } from "../../parts/dialog.tsx";
import { nameOf } from "../../parts/memory-bits.tsx";
import { useChange } from "../../parts/use-change.ts";
import type { QueueProps } from "./inbox.tsx";
import { QueueList } from "./queue.tsx";
import { type NotedRow, notedOne, SINGLE, useRowActions } from "./row-actions.ts";
import { Side } from "./side.tsx";

/** Texts that speak to agents, or hide something: harmless after all, archived, or corrected on the memory's own page. */
export function Flagged(props: QueueProps) {
  const { isAdmin } = props;
  const changes = useChange();
  const [clearing, setClearing] = useState<NotedRow>();
  const actions = useRowActions();
  if (isAdmin) actions.unshift({ key: "y", label: text.inbox.harmless, run: setClearing });
  return (
    <>
      <QueueList<NotedRow> queue="flagged" {...props} {...changes} {...SINGLE} actions={actions}>
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
      {clearing && (
        <AskReason
          title={text.inbox.harmless}
          lead={text.inbox.harmlessLead}
          close={() => setClearing(undefined)}
          take={(reason) =>
            changes.change(keepingNotes("flagged", notedOne(clearing), clearingFlags(clearing, reason)))
          }
        />
      )}
    </>
  );
}
