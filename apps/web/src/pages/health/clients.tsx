import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOfClient } from "../../parts/memory-bits.tsx";
import { Answer, NothingYet } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { memberName } from "../../parts/words/member-name.ts";

/** Clients that call, with their versions as far as they tell. */
export function Clients() {
  const query = useQuery(queries.clients());
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        {text.health.clients}
      </Title>
      <Answer of={query}>
        {({ clients }) =>
          clients.length === 0 ? (
            <NothingYet>{text.health.noClients}</NothingYet>
          ) : (
            <SortedTable
              rows={clients}
              keyOf={({ client, member }) => `${client} ${member}`}
              columns={[
                {
                  head: text.activity.client,
                  by: ({ client }) => nameOfClient(client),
                  cell: ({ client }) => <bdi className="break">{nameOfClient(client) ?? text.health.unnamed}</bdi>,
                },
                {
                  head: text.people.of,
                  by: ({ member }) => member ?? undefined,
                  cell: ({ member }) => (member === null ? text.activity.nobody : memberName(member)),
                },
                { head: text.people.lastUsed, timeOf: ({ last_at }) => last_at },
              ]}
            />
          )
        }
      </Answer>
    </>
  );
}
