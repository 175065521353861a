import { TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { queries } from "../api/queries.ts";
import { ago, moment, number, text } from "../i18n/index.ts";
import { SearchIcon } from "../parts/icons.tsx";
import { Layer } from "../parts/memory-bits.tsx";
import { Answer, Form, Nothing, NothingYet, Page } from "../parts/page.tsx";
import { Parted } from "../parts/words/parted.tsx";

/** History of a file across agents. */
export function Files() {
  const { path = "" } = useSearch({ from: "/files" });
  const navigate = useNavigate({ from: "/files" });
  const [typed, setTyped] = useState(path);
  return (
    <Page title={text.files.title} lead={text.files.lead}>
      <Form onSubmit={() => void navigate({ search: typed.trim() === "" ? {} : { path: typed.trim() } })}>
        <TextInput
          key={path}
          defaultValue={path}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          leftSection={<SearchIcon />}
          placeholder={text.files.placeholder}
          aria-label={text.files.placeholder}
          type="search"
          mb="md"
        />
      </Form>
      {path === "" ? <Busiest /> : <FileHistory path={path} />}
    </Page>
  );
}

function Busiest() {
  const query = useQuery(queries.stats());
  return (
    <Answer of={query}>
      {({ top_files: files }) =>
        files.length === 0 ? (
          <NothingYet>{text.files.empty}</NothingYet>
        ) : (
          <>
            <Title order={2} mb="xs">
              {text.files.busiest}
            </Title>
            <Paths rows={files} />
          </>
        )
      }
    </Answer>
  );
}

const Paths = ({ rows }: { readonly rows: readonly { readonly file_path: string; readonly edits: number }[] }) => (
  <table className="table">
    <tbody>
      {rows.map(({ file_path: path, edits }) => (
        <tr key={path}>
          <td>
            <Link to="/files" search={{ path }} className="break">
              <bdi>
                <Parted>{path}</Parted>
              </bdi>
            </Link>
          </td>
          <td className="num">{text.files.edited(edits)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

function FileHistory({ path }: { readonly path: string }) {
  const query = useQuery(queries.file(path));
  return (
    <Answer of={query}>
      {({
        paths_matched: paths = [],
        summary,
        daily_breakdown: days = [],
        user_intents: intents = [],
        linked_memories: memories = [],
      }) => {
        if (paths.length === 0 && memories.length === 0) return <Nothing>{text.files.nothing}</Nothing>;
        const isOneColumn = paths.length === 0 && days.length === 0;
        return (
          <div className={isOneColumn ? undefined : "two"}>
            <section hidden={isOneColumn}>
              {summary && (
                <p className="lead">
                  {text.files.edited(summary.total_edits)} · {text.files.sessions(summary.sessions_involved)} ·{" "}
                  {ago(summary.last_edit_at)}
                </p>
              )}
              {paths.length > 0 && <Title order={2}>{text.files.matched}</Title>}
              <Paths rows={paths} />
              {days.length > 0 && (
                <>
                  <Title order={2} mt="lg">
                    {text.files.days}
                  </Title>
                  <table className="table">
                    <tbody>
                      {days.map(({ day, operation, edits }) => (
                        <tr key={`${day} ${operation}`}>
                          <td>{moment(day, { dateStyle: "medium" })}</td>
                          <td>{operation}</td>
                          <td className="num">{number(edits)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </>
              )}
            </section>
            <section>
              {memories.length > 0 && (
                <>
                  <Title order={2}>{text.files.known}</Title>
                  {memories.map(({ id, layer, preview }) => (
                    <Link key={id} to="/memories/$id" params={{ id: String(id) }} className="known">
                      <span className="clamp2" dir="auto">
                        {preview}
                      </span>
                      <span className="meta">
                        <Layer layer={layer} />#{id}
                      </span>
                    </Link>
                  ))}
                </>
              )}
              {intents.length > 0 && (
                <>
                  <Title order={2} mt="lg">
                    {text.files.intents}
                  </Title>
                  {intents.map(({ when, intent, occurrences }) => (
                    <div key={`${when} ${intent}`} className="known">
                      <span className="clamp2" dir="auto">
                        {intent}
                      </span>
                      <span className="meta">
                        {ago(when)} {occurrences > 1 && text.activity.times(occurrences)}
                      </span>
                    </div>
                  ))}
                </>
              )}
            </section>
          </div>
        );
      }}
    </Answer>
  );
}
