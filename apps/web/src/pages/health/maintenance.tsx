import { Alert, Button, Group, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { type Get, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";

type Pass = NonNullable<Get<"/api/maintenance">["runs"]>[number]["passes"][number];

/** Runs of maintenance: a preview, one now, and the way back from each. */
export function Maintenance() {
  const query = useQuery(queries.maintenance());
  const queryClient = useQueryClient();
  const ask = useMutation({
    mutationFn: (body: { readonly action: "preview" | "run" | "undo"; readonly run_id?: number }) =>
      answer(chest.POST("/api/maintenance", { body })),
    onError: notifyFailed,
    async onSuccess({ restored }, { action }) {
      if (action === "preview") return;
      notifyDone(action === "run" ? text.health.ran : text.health.undone(restored ?? 0));
      await queryClient.invalidateQueries();
    },
  });
  const previewed = ask.variables?.action === "preview" ? ask.data?.passes : undefined;
  return (
    <>
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2}>{text.health.maintenance}</Title>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={ask.isPending}
            onClick={() => ask.mutate({ action: "preview" })}
          >
            {text.health.preview}
          </Button>
          <Confirm
            title={text.health.runNow}
            isHarmless
            question={text.health.runSure}
            onYes={() => ask.mutate({ action: "run" })}
          >
            {(open) => (
              <Button size="compact-sm" variant="default" loading={ask.isPending} onClick={open}>
                {text.health.runNow}
              </Button>
            )}
          </Confirm>
        </Group>
      </Group>
      {previewed && (
        <Alert color="gray" variant="light" mb="sm" title={text.health.wouldChange}>
          <Passes passes={previewed} />
        </Alert>
      )}
      <Answer of={query}>
        {({ runs }) =>
          runs.length === 0 ? (
            <Nothing>{text.health.noRuns}</Nothing>
          ) : (
            <Table heads={[text.activity.at, text.health.reason, text.health.outcome, text.health.changes, undefined]}>
              {runs.map(({ id, trigger, started_at: at, outcome, passes }) => (
                <tr key={id}>
                  <td>
                    <When at={at} />
                  </td>
                  <td>{nameOf(text.health.triggers, trigger)}</td>
                  <td>{outcome === null ? text.health.running : nameOf(text.health.outcomes, outcome)}</td>
                  <td>
                    <Passes passes={passes} />
                  </td>
                  <td>
                    <Group justify="end">
                      {outcome !== null && passes.some(({ changed }) => changed > 0) && (
                        <Confirm
                          title={text.common.undo}
                          isHarmless
                          question={text.health.undoSure}
                          onYes={() => ask.mutate({ action: "undo", run_id: id })}
                        >
                          {(open) => (
                            <Button
                              size="compact-xs"
                              variant="default"
                              onClick={open}
                              aria-label={`${text.common.undo} ${id}`}
                            >
                              {text.common.undo}
                            </Button>
                          )}
                        </Confirm>
                      )}
                    </Group>
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

function Passes({ passes }: { readonly passes: readonly Pass[] }) {
  const did = passes.filter(({ changed }) => changed > 0);
  if (did.length === 0) return <span className="lead">{text.health.nothingDue}</span>;
  return (
    <span className="meta">
      {did.map(({ name, changed }) => (
        <span key={name}>
          {nameOf(text.health.passes, name)} {number(changed)}
        </span>
      ))}
    </span>
  );
}
