import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answer, chest } from "../../api/client.ts";
import { type Get, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed, refuse } from "../../parts/notify.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { Secret } from "./secret.tsx";

type Webhook = Get<"/api/webhooks">["webhooks"][number];

/** Webhooks: added, tried, removed, and how their deliveries go. */
export function Webhooks() {
  const [isAdding, setAdding] = useState(false);
  const query = useQuery(queries.webhooks());
  const said = text.webhooks;
  return (
    <>
      <Group justify="space-between" mb="sm">
        <p className="lead">{said.lead}</p>
        <Button onClick={() => setAdding(true)}>{said.add}</Button>
      </Group>
      <Answer of={query}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Nothing>{said.none}</Nothing>
          ) : (
            <SortedTable
              rows={webhooks}
              keyOf={({ id }) => id}
              wideOnly={[2, 3, 4]}
              columns={[
                {
                  head: said.url,
                  className: "break",
                  by: ({ url }) => url,
                  cell: ({ url, projects }) => (
                    <>
                      <bdi>{url}</bdi> {projects && <span className="meta">{projects.join(", ")}</span>}
                    </>
                  ),
                },
                { head: text.people.of, by: ({ member }) => member },
                {
                  head: said.events,
                  cell: ({ events }) => (events === null ? text.common.all : events.join(", ")),
                },
                { head: said.delivered, timeOf: ({ delivered_at }) => delivered_at },
                { head: said.state, by: ({ failures }) => failures, cell: (webhook) => <State webhook={webhook} /> },
                { cell: ({ id }) => <Actions id={id} /> },
              ]}
            />
          )
        }
      </Answer>
      <Dialog title={said.add} isOpen={isAdding} close={() => setAdding(false)}>
        {isAdding && <AddWebhook />}
      </Dialog>
    </>
  );
}

function Actions({ id }: Pick<Webhook, "id">) {
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ["people", "webhooks"] });
  const over = { params: { path: { id } } };
  const test = useMutation({
    mutationFn: () => answer(chest.POST("/api/webhooks/{id}/test", over)),
    onError: notifyFailed,
    onSuccess: ({ delivered, trouble, ms }) =>
      delivered
        ? notifyDone(text.webhooks.arrived(Math.round(ms)))
        : notifyFailed(new Error(trouble ?? text.problem.failed)),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => answer(chest.DELETE("/api/webhooks/{id}", over)),
    onError: notifyFailed,
    onSettled,
  });
  return (
    <Group justify="end" gap="xs" className="row-actions">
      <Button size="compact-xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {text.webhooks.test}
      </Button>
      <Confirm title={text.webhooks.remove} question={text.webhooks.removeSure} onYes={() => remove.mutate()} />
    </Group>
  );
}

function State({ webhook: { failures, trouble, next_attempt_at: next } }: { readonly webhook: Webhook }) {
  if (failures === 0) return text.webhooks.fine;
  return (
    <>
      <span className="chip chip-warn">{text.webhooks.failed(number(failures))}</span> {trouble}{" "}
      {next !== null && (
        <span className="lead">
          {text.webhooks.again} <When at={next} />
        </span>
      )}
    </>
  );
}

function AddWebhook() {
  const queryClient = useQueryClient();
  const form = useForm({ mode: "controlled", initialValues: { url: "", events: "" } });
  const add = useMutation({
    mutationFn({ url, events }: { readonly url: string; readonly events: string }) {
      const named = events.split(/[\s,]+/).filter((name) => name !== "");
      return answer(chest.POST("/api/webhooks", { body: { url, ...(named.length > 0 && { events: named }) } }));
    },
    onError: (error) => refuse(form, error),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["people", "webhooks"] }),
  });
  if (add.data) {
    return (
      <Stack gap="sm">
        <p>{text.webhooks.secret}</p>
        <Secret value={add.data.secret} />
      </Stack>
    );
  }
  return (
    <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
      <Stack gap="sm">
        <TextInput
          type="url"
          label={text.webhooks.url}
          placeholder="https://"
          required
          maxLength={2000}
          {...form.getInputProps("url")}
        />
        <TextInput
          label={text.webhooks.events}
          description={text.webhooks.eventsHint}
          placeholder="chest_remember, chest_update_memory"
          {...form.getInputProps("events")}
        />
        <Button type="submit" loading={add.isPending}>
          {text.webhooks.add}
        </Button>
      </Stack>
    </form>
  );
}
