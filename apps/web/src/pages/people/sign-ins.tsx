import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { useSending } from "../../parts/use-change.ts";

/** Browsers that are signed in, each of which can be signed out from here. */
export function SignIns() {
  const query = useQuery(queries.signIns());
  const end = useSending(
    (id: number) => answer(chest.DELETE("/api/sign-ins/{id}", { params: { path: { id: id } } })),
    [],
  );
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
              { head: text.people.of, by: ({ member }) => member },
              {
                head: text.people.browser,
                by: ({ label }) => label ?? undefined,
                cell: ({ label, is_this: isThis }) => (
                  <>
                    <bdi>{label}</bdi> {isThis && <span className="chip chip-strong">{text.people.thisOne}</span>}
                  </>
                ),
              },
              { head: text.people.since, timeOf: ({ created_at }) => created_at },
              { head: text.people.lastUsed, timeOf: ({ last_used_at }) => last_used_at },
              { head: text.people.expires, timeOf: ({ ends_at }) => ends_at },
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
