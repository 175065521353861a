import { Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { When } from "../../parts/memory-bits.tsx";
import { notifyFailed } from "../../parts/notify.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

/** Browsers that are signed in, each of which can be signed out from here. */
export function SignIns() {
  const asked = useQuery(queries.signIns());
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: (id: number) => answer(chest.DELETE("/api/sign-ins/{id}", { params: { path: { id: id } } })),
    onError: notifyFailed,
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <Answer of={asked}>
      {({ sign_ins: signIns }) =>
        signIns.length === 0 ? (
          <Nothing />
        ) : (
          <Table
            wideOnly={[3, 5]}
            heads={[
              text.people.of,
              text.people.browser,
              text.people.since,
              text.people.lastUsed,
              text.people.expires,
              undefined,
            ]}
          >
            {signIns.map(({ id, member, label, created_at, last_used_at, ends_at, is_this }) => (
              <tr key={id}>
                <td>{member}</td>
                <td>
                  <bdi>{label}</bdi> {is_this && <span className="chip chip-strong">{text.people.thisOne}</span>}
                </td>
                <td>
                  <When at={created_at} />
                </td>
                <td>{last_used_at ? <When at={last_used_at} /> : text.common.never}</td>
                <td>
                  <When at={ends_at} />
                </td>
                <td>
                  <Group justify="end">
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => end.mutate(id)}>
                      {text.people.end}
                    </Button>
                  </Group>
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Answer>
  );
}
