import { Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { sessionPages } from "../../api/pages.ts";
import type { Get } from "../../api/queries.ts";
import { day, lengthOf, text, timeOf } from "../../i18n/index.ts";
import { nameOfClient } from "../../parts/memory-bits.tsx";
import { isNarrowed, Narrowing } from "../../parts/narrowing.tsx";
import { Answer, Nothing, NothingYet } from "../../parts/page.tsx";
import { ShowMore } from "../../parts/table.tsx";
import { memberName } from "../../parts/words/member-name.ts";

/** Sessions that left memories, by the day of their last one, each by the name of what it was asked first. */
export function SessionList() {
  const narrowed = useSearch({ from: "/sessions" });
  const navigate = useNavigate({ from: "/sessions" });
  const query = useInfiniteQuery(sessionPages(narrowed));
  return (
    <>
      <Narrowing
        of={narrowed}
        set={(to) => void navigate({ search: ({ tab }) => ({ ...(tab && { tab }), ...to }), replace: true })}
      />
      <Answer of={query}>
        {({ pages }) => {
          const sessions = pages.flatMap((page) => page.sessions);
          if (sessions.length === 0)
            return isNarrowed(narrowed) ? (
              <Nothing>{text.replay.none}</Nothing>
            ) : (
              <NothingYet>{text.sessions.empty}</NothingYet>
            );
          const days = Map.groupBy(sessions, ({ last_at: last }) => day(last * 1000));
          return (
            <>
              {[...days].map(([name, rows]) => (
                <section key={name} className="day">
                  <Title order={2} className="day-name">
                    {name}
                  </Title>
                  {rows.map((session) => (
                    <Row key={`${session.author} ${session.session_id}`} session={session} />
                  ))}
                </section>
              ))}
              <ShowMore of={query} />
            </>
          );
        }}
      </Answer>
    </>
  );
}

interface RowProps {
  readonly session: Get<"/api/sessions">["sessions"][number];
}

function Row({
  session: { session_id: id, name, author, client, project, memories, files, first_at, last_at },
}: RowProps) {
  const agent = client === undefined ? undefined : nameOfClient(client);
  return (
    <article className="moment">
      <time dateTime={new Date(last_at * 1000).toISOString()} className="score">
        {timeOf(last_at * 1000)}
      </time>
      <div>
        <Link to="/sessions/$id" params={{ id }} search={{ author }} className="told clamp2" dir="auto">
          {name || text.replay.unnamed}
        </Link>
        <span className="meta">
          <span>{memberName(author)}</span>
          {agent !== undefined && <bdi>{agent}</bdi>}
          {project !== undefined && <bdi>{project}</bdi>}
          <span>{lengthOf((last_at - first_at) / 60) ?? text.replay.underMinute}</span>
          {files > 0 && <span>{text.replay.files(files)}</span>}
          {memories > 0 && <span>{text.replay.memories(memories)}</span>}
        </span>
      </div>
    </article>
  );
}
