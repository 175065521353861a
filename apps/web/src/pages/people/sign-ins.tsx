import { Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { When } from "../../parts/memory-bits.tsx";
import { notifyFailed } from "../../parts/notify.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable, timeBy } from "../../parts/sorted-table.tsx";

/** Browsers that are signed in, each of which can be signed out from here. */
export function SignIns() {
  const query = useQuery(queries.signIns());
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: (id: number) => answer(chest.DELETE("/api/sign-ins/{id}", { params: { path: { id: id } } })),
    onError: notifyFailed,
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <Answer of={query}>
      {({ sign_ins: signIns }) =>
        signIns.length === 0 ? (
          <Nothing />
        ) : (
          <SortedTable
            rows={signIns}
            keyOf={({ id }) => id}
            wideOnly={[3, 5]}
            columns={[
              { head: text.people.of, by: ({ member }) => member, cell: ({ member }) => member },
              {
                head: text.people.browser,
                by: ({ label }) => label ?? undefined,
                cell: ({ label, is_this: isThis }) => (
                  <>
                    <bdi>{label}</bdi> {isThis && <span className="chip chip-strong">{text.people.thisOne}</span>}
                  </>
                ),
              },
              {
                head: text.people.since,
                by: ({ created_at: at }) => timeBy(at),
                cell: ({ created_at: at }) => <When at={at} />,
              },
              {
                head: text.people.lastUsed,
                by: ({ last_used_at: at }) => timeBy(at),
                cell: ({ last_used_at: at }) => (at ? <When at={at} /> : text.common.never),
              },
              {
                head: text.people.expires,
                by: ({ ends_at: at }) => timeBy(at),
                cell: ({ ends_at: at }) => <When at={at} />,
              },
              {
                cell: ({ id }) => (
                  <Group justify="end">
                    <Button size="compact-xs" variant="subtle" color="red" onClick={() => end.mutate(id)}>
                      {text.people.end}
                    </Button>
                  </Group>
                ),
              },
            ]}
          />
        )
      }
    </Answer>
  );
}
