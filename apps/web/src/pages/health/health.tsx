import { Button, Group, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answer, chest } from "../../api/client.ts";
import { type Get, queries } from "../../api/queries.ts";
import { bytes, number, text } from "../../i18n/index.ts";
import { nameOf, When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { Clients } from "./clients.tsx";
import { Findings } from "./findings.tsx";
import { Maintenance } from "./maintenance.tsx";
import { Models } from "./models.tsx";
import { Settings } from "./settings.tsx";

/** Health of the backend, each finding with what mends it. */
export function Health() {
  const query = useQuery(queries.host());
  return (
    <Page title={text.health.title}>
      <Answer of={query}>
        {(host) => (
          <>
            <Findings of={host.findings} />
            <div className="two">
              <section>
                <Title order={2} mt="xl" mb="xs">
                  {text.health.store}
                </Title>
                <dl className="facts">
                  <dt>{text.health.version}</dt>
                  <dd>{host.server_version}</dd>
                  {host.uptime_s !== undefined && (
                    <>
                      <dt>{text.health.uptime}</dt>
                      <dd>
                        <When at={Date.now() - host.uptime_s * 1000} />
                      </dd>
                    </>
                  )}
                  <dt>{text.health.memories}</dt>
                  <dd>{number(host.store.live)}</dd>
                  <dt>{text.health.size}</dt>
                  <dd>{bytes(host.store.bytes)}</dd>
                  <dt>{text.health.free}</dt>
                  <dd>{bytes(host.place.free_bytes)}</dd>
                  <dt>{text.health.schema}</dt>
                  <dd>{host.store.schema}</dd>
                </dl>
              </section>
              <section>
                <Title order={2} mt="xl" mb="xs">
                  {text.health.embedding}
                </Title>
                <dl className="facts">
                  <dt>{text.health.model}</dt>
                  <dd>{modelOf(host) ?? text.common.none}</dd>
                  <dt>{text.health.vectors}</dt>
                  <dd>{number(host.store.vectors)}</dd>
                  <dt>{text.health.pending}</dt>
                  <dd>{number(host.store.pending)}</dd>
                </dl>
              </section>
            </div>
          </>
        )}
      </Answer>
      <Models />
      <Backups />
      <Maintenance />
      <Clients />
      <Settings />
    </Page>
  );
}

/** Embedding model of this backend; without one, the model of the stored vectors. */
const modelOf = ({ config, store }: Get<"/diagnostics/host">) =>
  config.can_embed || store.vectors > 0 ? (config.model ?? store.model) : undefined;

function Backups() {
  const query = useQuery(queries.backups());
  const queryClient = useQueryClient();
  const make = useMutation({
    mutationFn: () => answer(chest.POST("/api/backups")),
    onError: notifyFailed,
    async onSuccess() {
      notifyDone(text.health.backupMade);
      await queryClient.invalidateQueries({ queryKey: ["health"] });
    },
  });
  return (
    <>
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2}>{text.health.backups}</Title>
        <Button size="compact-sm" variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {text.health.makeBackup}
        </Button>
      </Group>
      <Answer of={query}>
        {({ backups }) =>
          backups.length === 0 ? (
            <Nothing>{text.health.noBackups}</Nothing>
          ) : (
            <SortedTable
              rows={backups}
              keyOf={({ file }) => file}
              columns={[
                {
                  head: text.health.file,
                  className: "break",
                  by: ({ file }) => file,
                  cell: ({ file, sha256 }) => (
                    <>
                      {file} {sha256 !== null && <span className="chip">{text.health.verified}</span>}
                    </>
                  ),
                },
                { head: text.health.made, timeOf: ({ made_at }) => made_at },
                {
                  head: text.health.reason,
                  by: ({ reason }) => reason,
                  cell: ({ reason }) => nameOf(text.health.backupReasons, reason),
                },
                {
                  head: text.health.memories,
                  className: "num",
                  by: ({ memories }) => memories ?? undefined,
                  cell: ({ memories }) => (memories === null ? "" : number(memories)),
                },
                {
                  head: text.health.size,
                  className: "num",
                  by: ({ bytes: size }) => size,
                  cell: ({ bytes: size }) => bytes(size),
                },
              ]}
            />
          )
        }
      </Answer>
    </>
  );
}
