import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { nameOfClient, When } from "../../parts/memory-bits.tsx";
import { Answer, NothingYet } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

/** Clients that call, with their versions as far as they tell. */
export function Clients() {
  const asked = useQuery(queries.clients());
  return (
    <>
      <Title order={2} mt="xl" mb="xs">
        {text.health.clients}
      </Title>
      <Answer of={asked}>
        {({ clients }) =>
          clients.length === 0 ? (
            <NothingYet>{text.health.noClients}</NothingYet>
          ) : (
            <Table heads={[text.activity.client, text.people.of, text.people.lastUsed]}>
              {clients.map(({ client, member, last_at: at }) => (
                <tr key={`${client} ${member}`}>
                  <td>
                    <bdi className="break">{nameOfClient(client) ?? text.health.unnamed}</bdi>
                  </td>
                  <td>{member ?? text.activity.nobody}</td>
                  <td>
                    <When at={at} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Answer>
    </>
  );
}
