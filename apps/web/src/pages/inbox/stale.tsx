import { chest, tool } from "../../api/client.ts";
import type { QueueItem } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { useChange } from "../../parts/use-change.ts";
import { Sources } from "../memory/sources.tsx";
import type { QueueProps } from "./inbox.tsx";
import { type Action, QueueList } from "./queue.tsx";
import { SINGLE, useRowActions } from "./row-actions.ts";
import { Side } from "./side.tsx";

type StaleRow = QueueItem<"stale">;

/** Memories whose files have changed or gone since: still true, archived, or corrected on the memory's own page. */
export function Stale(props: QueueProps) {
  const changes = useChange();
  const accept: Action<StaleRow> = {
    key: "y",
    label: text.inbox.stillTrue,
    // Only files that a check has read can be accepted here: a missing file has no content, and the browser reads no files.
    isFor: ({ sources }) =>
      sources.some(({ found_hash: found }) => found !== undefined) &&
      sources.every(({ status }) => status !== "missing"),
    changeOf: ({ id }) => ({
      run: () => tool(chest.POST("/api/tools/chest_verify", { body: { accept_found: [id] } })),
      message: text.inbox.isStillTrue,
    }),
  };
  const actions = [accept, ...useRowActions()];
  return (
    <QueueList<StaleRow> queue="stale" {...props} {...changes} {...SINGLE} actions={actions}>
      {(row) => (
        <>
          <Side row={row} />
          <Sources sources={row.sources} />
        </>
      )}
    </QueueList>
  );
}
