import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queries, readView } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { projectChoices } from "../../parts/project-names.tsx";
import { Table } from "../../parts/table.tsx";

interface Conversation {
  readonly conversation_id: string;
  readonly turns: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly score: number;
}

/** Conversations that were captured, of one project or of none. */
export function Conversations() {
  const [project, setProject] = useState("");
  const { data: known } = useQuery(queries.projects());
  const asked = useQuery({
    queryKey: ["memories", "conversations", project],
    queryFn: () => readView<Conversation>("conversations", { limit: 200, ...(project === "" ? {} : { project }) }),
  });
  return (
    <>
      <NativeSelect
        size="xs"
        mb="sm"
        maw={320}
        label={text.memory.project}
        value={project}
        onChange={({ currentTarget }) => setProject(currentTarget.value)}
        data={[{ value: "", label: text.sessions.noProject }, ...projectChoices(known?.projects)]}
      />
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{text.sessions.noConversations}</Nothing>
          ) : (
            <Table
              wideOnly={[3, 5]}
              heads={[
                text.sessions.conversation,
                { number: text.sessions.turns },
                text.sessions.first,
                text.sessions.last,
                { number: text.sessions.points },
              ]}
            >
              {items.map(({ conversation_id: id, turns, first_at: first, last_at: last, score }) => (
                <tr key={id}>
                  <td>
                    <Link
                      to="/conversations/$id"
                      params={{ id }}
                      search={project === "" ? {} : { project }}
                      className="break"
                    >
                      <bdi>{id}</bdi>
                    </Link>
                  </td>
                  <td className="num">{number(turns)}</td>
                  <td>
                    <When at={first} />
                  </td>
                  <td>
                    <When at={last} />
                  </td>
                  <td className="num">{number(score, { maximumFractionDigits: 1 })}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
    </>
  );
}
