import { Alert, Button, Group, Tabs, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { bringBack, useChange } from "../../api/changes.ts";
import { ApiError } from "../../api/client.ts";
import { queries, type WholeMemory } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Layer, nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, useTitle } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import type { Me } from "../../shell/destinations.ts";
import { Actions } from "./actions.tsx";
import { Editor } from "./editor.tsx";
import { Facts } from "./facts.tsx";
import { HistoryList } from "./history.tsx";
import { Links } from "./links.tsx";
import { Sources } from "./sources.tsx";
import { StoredText } from "./stored-text.tsx";
import { UsedBy } from "./used-by.tsx";

const Graph = lazy(async () => ({ default: (await import("./graph.tsx")).Graph }));

/** Memory with all that is known of it. */
export function MemoryPage() {
  const { id } = useParams({ from: "/memories/$id" });
  const asked = useQuery(queries.memory(Number(id)));
  const { data: me } = useQuery(queries.whoami());
  const { error, data } = asked;
  useTitle(text.memory.title(Number(id)));
  if (error instanceof ApiError && !data && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code))
    return (
      <Nothing>
        {text.memory.notFound} <Link to="/search">{text.common.backToSearch}</Link>
      </Nothing>
    );
  if (!me) return null;
  return <Answer of={asked}>{(whole) => <Whole key={id} whole={whole} me={me} />}</Answer>;
}

interface WholeProps {
  readonly whole: WholeMemory;
  readonly me: Me;
}

function Whole({ whole, me }: WholeProps) {
  const [isEditing, setEditing] = useState(false);
  const { memory } = whole;
  const { id, entity, state } = memory;
  return (
    <div className="page">
      <Group justify="space-between" mb="md" align="start">
        <div>
          <Title order={1}>{text.memory.title(id)}</Title>
          <span className="meta">
            <Layer layer={memory.layer} />
            <Link to="/search" search={{ entity: entity.name }}>
              <bdi>{entity.name}</bdi>
            </Link>
            <span>{text.memory.version(memory.version)}</span>
            {state !== "live" && <span className="chip">{nameOf(text.states, state)}</span>}
          </span>
        </div>
        <Actions memory={memory} me={me} edit={() => setEditing(true)} isEditing={isEditing} />
      </Group>
      <OutOfSight memory={memory} canWrite={me.scopes.includes("write")} />
      {memory.flagged && (
        <Alert color="yellow" variant="outline" title={text.memory.flaggedTitle} mb="md">
          {memory.flagged.map((flag) => nameOf(text.flags, flag)).join(" · ")}
          <p className="lead">{text.memory.flaggedHint}</p>
        </Alert>
      )}
      <div className="memory">
        <div>
          {isEditing ? (
            <Editor memory={memory} close={() => setEditing(false)} />
          ) : (
            <div className="card said">
              <StoredText text={memory.content} />
            </div>
          )}
          <Parts whole={whole} canWrite={me.scopes.includes("write")} />
        </div>
        <Facts whole={whole} me={me} />
      </div>
    </div>
  );
}

function Parts({ whole, canWrite }: { readonly whole: WholeMemory; readonly canWrite: boolean }) {
  const { memory, links_total: links, sources, used_by: usedBy } = whole;
  const tabs = [
    ["history", text.memory.history, whole.versions_total, () => <HistoryList whole={whole} canWrite={canWrite} />],
    ["links", text.memory.links, links, () => <Links whole={whole} canWrite={canWrite} />],
    ...(links > 0 ? [["graph", text.memory.graph, undefined, () => <Graph id={memory.id} />] as const] : []),
    ...(sources.length > 0
      ? [["sources", text.memory.sources, sources.length, () => <Sources sources={sources} />] as const]
      : []),
    ...(usedBy ? [["shown", text.memory.shown, usedBy.length, () => <UsedBy usedBy={usedBy} />] as const] : []),
  ] as const;
  return (
    <Tabs defaultValue="history" mt="xl" keepMounted={false}>
      <TabList>
        {tabs.map(([name, label, count]) => (
          <Tabs.Tab key={name} value={name}>
            {label} {count !== undefined && <span className="lead">{number(count)}</span>}
          </Tabs.Tab>
        ))}
      </TabList>
      {tabs.map(([name, , , draw]) => (
        <Tabs.Panel key={name} value={name} pt="sm">
          <Suspense fallback={<Waiting />}>{draw()}</Suspense>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

interface OutOfSightProps {
  readonly memory: WholeMemory["memory"];
  readonly canWrite: boolean;
}

/** Why a memory is out of sight, and the way back. */
function OutOfSight({ memory, canWrite }: OutOfSightProps) {
  const { change, isPending } = useChange();
  const { id, state, archived_at: at, archived_reason: reason, superseded_by_id: successor } = memory;
  if (state === "live") return null;
  const restore = () => change({ run: () => bringBack(id), told: text.memory.restored });
  return (
    <Alert color="gray" variant="light" mb="md" title={nameOf(text.states, state)}>
      <Group justify="space-between" align="center">
        <span className="meta">
          {at !== undefined && <When at={at * 1000} />}
          {reason !== undefined && <bdi>{nameOf(text.archivedFor, reason)}</bdi>}
          {successor !== undefined && (
            <Link to="/memories/$id" params={{ id: String(successor) }}>
              {text.memory.replacedBy(successor)}
            </Link>
          )}
        </span>
        {canWrite && (
          <Button size="compact-sm" onClick={restore} loading={isPending}>
            {text.memory.restore}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
