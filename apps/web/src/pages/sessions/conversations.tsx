import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { queries, readView } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Answer, Nothing } from "../../parts/page.tsx";
import { projectChoices } from "../../parts/project-names.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";

/** Conversations that were captured, of one project or of none. */
export function Conversations() {
  const [project, setProject] = useState("");
  const { data: known } = useQuery(queries.projects());
  const query = useQuery({
    queryKey: ["memories", "conversations", project],
    queryFn: () => readView("conversations", { limit: 200, ...(project === "" ? {} : { project }) }),
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
      <Answer of={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Nothing>{text.sessions.noConversations}</Nothing>
          ) : (
            <SortedTable
              rows={items}
              keyOf={({ conversation_id: id }) => id}
              wideOnly={[3, 5]}
              columns={[
                {
                  head: text.sessions.conversation,
                  by: ({ conversation_id: id }) => id,
                  cell: ({ conversation_id: id }) => (
                    <Link
                      to="/conversations/$id"
                      params={{ id }}
                      search={project === "" ? {} : { project }}
                      className="break"
                    >
                      <bdi>{id}</bdi>
                    </Link>
                  ),
                },
                {
                  head: text.sessions.turns,
                  className: "num",
                  by: ({ turns }) => turns,
                  cell: ({ turns }) => number(turns),
                },
                { head: text.sessions.first, timeOf: ({ first_at }) => first_at },
                { head: text.sessions.last, timeOf: ({ last_at }) => last_at },
                {
                  head: text.sessions.points,
                  className: "num",
                  by: ({ score }) => score,
                  cell: ({ score }) => number(score, { maximumFractionDigits: 1 }),
                },
              ]}
            />
          )
        }
      </Answer>
    </>
  );
}
