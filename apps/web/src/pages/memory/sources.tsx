import { Link } from "@tanstack/react-router";
import type { QueueItem } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { Table } from "../../parts/table.tsx";

/** Files that a memory was taken from, and whether they still say so. */
export const Sources = ({ sources }: { readonly sources: QueueItem<"stale">["sources"] }) => (
  <Table heads={[text.memory.source, text.memory.state, text.memory.checked]}>
    {sources.map(({ path, line, end_line: end, status, checked_at: checkedAt }) => (
      <tr key={`${path} ${line}`}>
        <td className="break">
          <Link to="/files" search={{ path }}>
            {path}
          </Link>
          {line !== undefined && `:${line}${end === undefined ? "" : `–${end}`}`}
        </td>
        <td>
          <span className={status === "stale" || status === "missing" ? "chip chip-warn" : "chip"}>
            {nameOf(text.sourceStates, status)}
          </span>
        </td>
        <td>{checkedAt === undefined ? text.common.never : <When at={checkedAt * 1000} />}</td>
      </tr>
    ))}
  </Table>
);
