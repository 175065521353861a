import { Button, Group, Tabs, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { answer, chest, tool } from "../../api/client.ts";
import { type History, type Hit, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { Layer, nameOf, When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed } from "../../parts/notify.ts";
import { Nothing, Problem } from "../../parts/page.tsx";
import type { Me } from "../../shell/destinations.ts";
import { Editor } from "./editor.tsx";
import { HistoryList } from "./history.tsx";
import { StoredText } from "./stored-text.tsx";

/** Memory with all that is known of it. */
export function MemoryPage() {
  const { id: given } = useParams({ from: "/memories/$id" });
  const id = Number(given);
  const recalled = useQuery(queries.memory(id));
  const { data: history, error, refetch } = useQuery(queries.history(id));
  const { data: me } = useQuery(queries.whoami());
  const [isEditing, setEditing] = useState(false);
  const hit = recalled.data?.memories[0] as unknown as Hit | undefined;
  if (error) return <Problem error={error} retry={() => void refetch()} />;
  if (!history || (!hit && recalled.isPending)) return null;
  if (!hit || !me) return <Nothing>{text.memory.notFound}</Nothing>;
  const now = history.versions[0];
  return (
    <div className="page">
      <Group justify="space-between" mb="md" align="center">
        <div>
          <Title order={1}>{text.memory.title(id)}</Title>
          <span className="meta">
            <Layer layer={hit.layer} />
            <Link to="/search" search={{ entity: hit.entity.name }}>
              <bdi>{hit.entity.name}</bdi>
            </Link>
            {history.state !== "live" && <span className="chip">{nameOf(text.states, history.state)}</span>}
          </span>
        </div>
        <Actions id={id} history={history} me={me} edit={() => setEditing(true)} isEditing={isEditing} />
      </Group>
      <div className="memory">
        <div>
          {isEditing && now ? (
            <Editor id={id} hit={hit} version={now.version} close={() => setEditing(false)} />
          ) : (
            <StoredText text={now?.content ?? hit.content} />
          )}
          <Tabs defaultValue="history" mt="xl" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="history">
                {text.memory.history} {number(history.total)}
              </Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="history" pt="sm">
              <HistoryList id={id} history={history} canWrite={me.scopes.includes("write")} />
            </Tabs.Panel>
          </Tabs>
        </div>
        <Facts hit={hit} history={history} />
      </div>
    </div>
  );
}

function Facts({ hit, history }: { readonly hit: Hit; readonly history: History }) {
  const { importance, tags = [], created_at, expires_at, heat, band, near_duplicates: alike = [], pinned } = hit;
  return (
    <aside aria-label={text.memory.facts}>
      <dl className="facts">
        <dt>{text.memory.entity}</dt>
        <dd>
          <bdi>{hit.entity.name}</bdi> <span className="lead">{nameOf(text.kinds, history.entity_kind)}</span>
        </dd>
        <dt>{text.memory.layer}</dt>
        <dd>
          <Layer layer={hit.layer} />
        </dd>
        <dt>{text.memory.importance}</dt>
        <dd>
          {importance === undefined ? "" : number(importance)} {pinned ? text.search.pinned : ""}
        </dd>
        {tags.length > 0 && (
          <>
            <dt>{text.memory.tags}</dt>
            <dd className="meta">
              {tags.map((tag) => (
                <Link key={tag} to="/search" search={{ q: tag, tag }}>
                  #{tag}
                </Link>
              ))}
            </dd>
          </>
        )}
        <dt>{text.memory.made}</dt>
        <dd>
          <When at={created_at * 1000} />
        </dd>
        {expires_at !== undefined && (
          <>
            <dt>{text.memory.ends}</dt>
            <dd>
              <When at={expires_at * 1000} />
            </dd>
          </>
        )}
        {heat !== undefined && (
          <>
            <dt>{text.memory.use}</dt>
            <dd>
              {number(heat, { maximumFractionDigits: 0 })}{" "}
              <span className="lead">{nameOf(text.bands, band ?? "")}</span>
            </dd>
          </>
        )}
        {alike.length > 0 && (
          <>
            <dt>{text.memory.similar}</dt>
            <dd className="meta">
              {alike.map((other) => (
                <Link key={other} to="/memories/$id" params={{ id: String(other) }}>
                  {other}
                </Link>
              ))}
            </dd>
          </>
        )}
      </dl>
    </aside>
  );
}

interface ActionsProps {
  readonly id: number;
  readonly history: History;
  readonly me: Me;
  readonly isEditing: boolean;
  edit(): void;
}

function Actions({ id, history, me, isEditing, edit }: ActionsProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const changed = () => queryClient.invalidateQueries({ queryKey: ["memories"] });
  const archive = useMutation({
    mutationFn: () => tool(chest.POST("/api/tools/chest_forget", { body: { memory_id: id } })),
    onError: notifyFailed,
    async onSuccess() {
      notifyDone(text.memory.archived);
      await changed();
    },
  });
  const purge = useMutation({
    mutationFn: () => answer(chest.POST("/api/purge", { body: { ids: [id], confirm: true } })),
    onError: notifyFailed,
    async onSuccess() {
      notifyDone(text.memory.purged);
      await navigate({ to: "/search" });
      await changed();
    },
  });
  const isLive = history.state === "live";
  const canWrite = me.scopes.includes("write");
  return (
    <Group gap="xs">
      {canWrite && isLive && !isEditing && (
        <Button size="compact-sm" variant="default" onClick={edit}>
          {text.memory.edit}
        </Button>
      )}
      {canWrite && isLive && (
        <Confirm title={text.memory.archive} question={text.memory.archiveSure} onYes={() => archive.mutate()}>
          {(open) => (
            <Button size="compact-sm" variant="default" onClick={open} loading={archive.isPending}>
              {text.memory.archive}
            </Button>
          )}
        </Confirm>
      )}
      {me.scopes.includes("admin") && (
        <Confirm title={text.memory.purge} question={text.memory.purgeSure} onYes={() => purge.mutate()}>
          {(open) => (
            <Button size="compact-sm" variant="subtle" color="red" onClick={open} loading={purge.isPending}>
              {text.memory.purge}
            </Button>
          )}
        </Confirm>
      )}
    </Group>
  );
}
