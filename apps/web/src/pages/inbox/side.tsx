import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type MemoryRow, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Layer, When } from "../../parts/memory-bits.tsx";
import { readersOf } from "../../parts/visibilities.ts";
import { memberName } from "../../parts/words/member-name.ts";
import { Statement } from "./statement.tsx";

interface SideProps {
  readonly row: MemoryRow;
  readonly name?: string;
  /** Sentence of it that is in question. */
  readonly statement?: string | undefined;
}

/** One of two memories that are held beside each other. */
export function Side({ row, name, statement }: SideProps) {
  const { data: me } = useQuery(queries.whoami());
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
      <Statement content={row.content} statement={statement} />
      <span className="meta">
        <span>{memberName(row.author)}</span>
        <When at={row.updated_at * 1000} />
        <span>{text.memory.version(row.version)}</span>
        <span>{readersOf(row, me?.member)}</span>
        {row.project !== undefined && <bdi>{row.project}</bdi>}
        <span>{text.memory.uses(row.access_count)}</span>
      </span>
    </div>
  );
}
