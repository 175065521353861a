import { Link } from "@tanstack/react-router";
import type { MemoryRow } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Layer, nameOf, When } from "../../parts/memory-bits.tsx";

interface SideProps {
  readonly row: MemoryRow;
  readonly name?: string;
  /** Sentence of it that is in question. */
  readonly statement?: string | undefined;
}

/** One of two memories that are held beside each other. */
export function Side({ row, name, statement = "" }: SideProps) {
  const at = statement === "" ? -1 : row.content.indexOf(statement);
  return (
    <div className="side">
      <span className="meta">
        {name !== undefined && <b>{name}</b>}
        <Link to="/memories/$id" params={{ id: String(row.id) }}>
          #{row.id}
        </Link>
        <Layer layer={row.layer} />
        <bdi>{row.entity.name}</bdi>
      </span>
      <p className="stored" dir="auto">
        {at < 0 ? (
          row.content
        ) : (
          <>
            {row.content.slice(0, at)}
            <mark>{statement}</mark>
            {row.content.slice(at + statement.length)}
          </>
        )}
      </p>
      <span className="meta">
        <span>{row.author}</span>
        <When at={row.updated_at * 1000} />
        <span>{text.memory.version(row.version)}</span>
        <span>{nameOf(text.memory.visibilities, row.visibility)}</span>
        {row.project !== undefined && <bdi>{row.project}</bdi>}
        <span>{text.memory.uses(row.access_count)}</span>
      </span>
    </div>
  );
}
