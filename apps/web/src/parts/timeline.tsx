import { Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { MemoryRow } from "../api/queries.ts";
import { day, text, timeOf } from "../i18n/index.ts";
import { Layer, MemoryLink, nameOf } from "./memory-bits.tsx";
import { memberName } from "./words/member-name.ts";

interface TimelineProps {
  readonly memories: readonly MemoryRow[];
  /** Shows the session that each was stored in. */
  readonly withSession?: boolean;
}

/** Memories by the day they were made, the newest first. */
export function Timeline({ memories, withSession = false }: TimelineProps) {
  const days = Map.groupBy(memories, ({ created_at: at }) => day(at * 1000));
  return [...days].map(([name, rows]) => (
    <section key={name} className="day">
      <Title order={2} className="day-name">
        {name}
      </Title>
      {rows.map((row) => (
        <article key={row.id} className="moment">
          <time dateTime={new Date(row.created_at * 1000).toISOString()} className="score">
            {timeOf(row.created_at * 1000)}
          </time>
          <div>
            <MemoryLink id={row.id}>{row.content}</MemoryLink>
            <span className="meta">
              <Layer layer={row.layer} />
              <bdi>{row.entity.name}</bdi>
              <span>{memberName(row.author)}</span>
              {row.project !== undefined && <bdi>{row.project}</bdi>}
              {row.state !== "live" && <span className="chip">{nameOf(text.states, row.state)}</span>}
              {withSession && row.session_id !== undefined && (
                <Link to="/sessions/$id" params={{ id: row.session_id }}>
                  {text.memory.session}
                </Link>
              )}
            </span>
          </div>
        </article>
      ))}
    </section>
  ));
}
