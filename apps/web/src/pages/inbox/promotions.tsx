import { useState } from "react";
import { type Change, updateMemory } from "../../api/changes.ts";
import { keepingNotes } from "../../api/inbox-notes.ts";
import type { MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { AskReason } from "../../parts/dialog.tsx";
import { useChange } from "../../parts/use-change.ts";
import type { QueueProps } from "./inbox.tsx";
import { type Action, QueueList } from "./queue.tsx";
import { type NotedRow, notedOne, SINGLE } from "./row-actions.ts";
import { Side } from "./side.tsx";

/** Memories that wait for an admin before the team sees them; an author may take its own back. */
export function Promotions(props: QueueProps) {
  const { isAdmin, member } = props;
  const changes = useChange();
  const [declining, setDeclining] = useState<NotedRow>();
  const approve = ({ id, version }: MemoryRow) => ({
    run: () => updateMemory({ memory_id: id, promotion: "approve", expected_version: version }),
    message: text.inbox.approved,
    undo: () => updateMemory({ memory_id: id, visibility: "private" }),
  });
  const decline = (row: NotedRow, reason: string) => {
    const { id, version, author } = row;
    const declining: Change<unknown> = {
      run: () =>
        updateMemory({
          ...{ memory_id: id, promotion: "decline", expected_version: version },
          ...(reason === "" ? {} : { reason }),
        }),
      message: text.inbox.declined,
      // The admin no longer sees a declined memory, so only its author can ask again.
      ...(author === member ? { undo: () => updateMemory({ memory_id: id, visibility: "team" }) } : {}),
    };
    changes.change(keepingNotes("promotions", notedOne(row), declining));
  };
  const actions: Action<NotedRow>[] = [{ key: "n", label: text.inbox.decline, run: setDeclining }];
  if (isAdmin) actions.unshift({ key: "y", label: text.inbox.approve, changeOf: approve });
  return (
    <>
      <QueueList<NotedRow> queue="promotions" {...props} {...changes} {...SINGLE} actions={actions}>
        {(row) => <Side row={row} />}
      </QueueList>
      {declining && (
        // The dialog also serves as a confirmation, because an admin cannot undo this.
        <AskReason
          title={text.inbox.decline}
          lead={text.inbox.declineHint}
          isOptional
          close={() => setDeclining(undefined)}
          take={(reason) => decline(declining, reason)}
        />
      )}
    </>
  );
}
