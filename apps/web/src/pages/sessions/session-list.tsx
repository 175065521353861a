import { Group, Select, TextInput, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { sessionPages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { day, lengthOf, text, timeOf } from "../../i18n/index.ts";
import { nameOfClient } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, NothingYet } from "../../parts/page.tsx";
import { ShowMore } from "../../parts/table.tsx";

/** Sessions that left memories, by the day of their last one, each by the name of what it was asked first. */
export function SessionList() {
  const { author, project, day: chosen } = useSearch({ from: "/sessions" });
  const asked = useInfiniteQuery(sessionPages({ author, project, day: chosen }));
  const isFiltered = author !== undefined || project !== undefined || chosen !== undefined;
  return (
    <>
      <Filters />
      <Answer of={asked}>
        {({ pages }) => {
          const sessions = pages.flatMap((page) => page.sessions);
          if (sessions.length === 0)
            return isFiltered ? <Nothing>{text.replay.none}</Nothing> : <NothingYet>{text.sessions.empty}</NothingYet>;
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
              <ShowMore of={asked} />
            </>
          );
        }}
      </Answer>
    </>
  );
}

interface RowProps {
  readonly session: {
    readonly session_id: string;
    readonly name?: string;
    readonly author: string;
    readonly client?: string;
    readonly project?: string;
    readonly memories: number;
    readonly files: number;
    readonly first_at: number;
    readonly last_at: number;
  };
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
          <span>{author}</span>
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

/** Filters by member, project and day, as the address holds them. */
function Filters() {
  const { author, project, day: chosen } = useSearch({ from: "/sessions" });
  const navigate = useNavigate({ from: "/sessions" });
  const { data: sums } = useQuery(queries.sums());
  const set = (name: "author" | "project" | "day", value: string | null) =>
    void navigate({
      search: (before) => {
        const { [name]: _, ...rest } = before;
        return value === null || value === "" ? rest : { ...rest, [name]: value };
      },
      replace: true,
    });
  const options = (known: Readonly<Record<string, number>> = {}, value: string | undefined) => [
    ...new Set([...Object.keys(known).filter((each) => each !== "none"), ...(value === undefined ? [] : [value])]),
  ];
  return (
    <Group gap="xs" align="end" className="session-filters">
      <Select
        size="xs"
        label={text.replay.member}
        placeholder={text.common.all}
        searchable
        clearable
        data={options(sums?.by_author, author)}
        value={author ?? null}
        onChange={(value) => set("author", value)}
      />
      <Select
        size="xs"
        label={text.memory.project}
        placeholder={text.common.all}
        searchable
        clearable
        data={options(sums?.by_project, project)}
        value={project ?? null}
        onChange={(value) => set("project", value)}
      />
      <TextInput
        size="xs"
        type="date"
        label={text.replay.day}
        value={chosen ?? ""}
        onChange={({ currentTarget }) => set("day", currentTarget.value)}
      />
    </Group>
  );
}
