import { Alert, Button, Group, Tabs, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { bringBack, clearingFlags } from "../../api/changes.ts";
import { queries, type WholeMemory } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { AskReason } from "../../parts/dialog.tsx";
import { draftOf } from "../../parts/drafts.ts";
import { Layer, nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, useTitle } from "../../parts/page.tsx";
import { TabList } from "../../parts/tab-list.tsx";
import { Table } from "../../parts/table.tsx";
import { useChange } from "../../parts/use-change.ts";
import { useVerdict } from "../../parts/verdict.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import { headingOf } from "../../parts/words/own-title.ts";
import type { Me } from "../../shell/destinations.ts";
import { noteRecent } from "../../shell/recent.ts";
import { Actions } from "./actions.tsx";
import { Editor } from "./editor.tsx";
import type { EditedMemory } from "./edits.ts";
import { Facts } from "./facts.tsx";
import { HistoryList } from "./history.tsx";
import { Links } from "./links.tsx";
import { Sources } from "./sources.tsx";
import { StoredText } from "./stored-text.tsx";

const Graph = lazy(async () => ({ default: (await import("./graph.tsx")).Graph }));

/** Memory with all that is known of it. */
export function MemoryPage() {
  const { id } = useParams({ from: "/memories/$id" });
  const query = useQuery(queries.memory(Number(id)));
  const { data: me } = useQuery(queries.whoami());
  const { error, data } = query;
  useTitle((data && headingOf(data.memory)) || text.memory.title(Number(id)));
  if (error instanceof ApiError && !data && ["NOT_FOUND", "INVALID_INPUT"].includes(error.code))
    return (
      <Nothing>
        {text.memory.notFound} <Link to="/search">{text.common.backToSearch}</Link>
      </Nothing>
    );
  if (!me) return null;
  return <Answer of={query}>{(whole) => <Whole key={id} whole={whole} me={me} />}</Answer>;
}

interface WholeProps {
  readonly whole: WholeMemory;
  readonly me: Me;
}

function Whole({ whole, me }: WholeProps) {
  const { memory } = whole;
  const { id, entity, state } = memory;
  const draft = useMemo(() => draftOf<EditedMemory>(me.member, `memory ${id}`), [me.member, id]);
  const [isEditing, setEditing] = useState(false);
  const [hasDraft, setDraft] = useState(() => draft.read() !== undefined);
  const canWrite = me.scopes.includes("write");
  const heading = headingOf(memory);
  useEffect(() => noteRecent(me.member, { id, title: heading }), [me.member, id, heading]);
  const head = useRef<HTMLHeadingElement>(null);
  const edit = () => setEditing(canWrite && state === "live");
  const close = () => {
    setEditing(false);
    setDraft(draft.read() !== undefined);
    // Moves the focus to the page, because it would be lost with the field that had it, and keys would not work.
    head.current?.focus();
  };
  const { judge } = useVerdict();
  const mayJudge = canWrite && state === "live" && !isEditing;
  useHotkeys([
    ["e", edit],
    ["y", () => mayJudge && judge(id, "useful")],
    ["n", () => mayJudge && judge(id, "wrong")],
  ]);
  return (
    <div className="page">
      <Group justify="space-between" mb="md" align="start" wrap="nowrap" className="memory-head">
        <div>
          <Title order={1} ref={head} tabIndex={-1} className="memory-title" dir="auto">
            {heading || text.memory.title(id)} <span className="lead">#{id}</span>
          </Title>
          <span className="meta">
            <Layer layer={memory.layer} />
            <Link to="/search" search={{ entity: entity.name }}>
              <bdi>{entity.name}</bdi>
            </Link>
            <span>{memberName(memory.author)}</span>
            <When at={memory.updated_at * 1000} />
            <span>{text.memory.version(memory.version)}</span>
            {state !== "live" && <span className="chip">{nameOf(text.states, state)}</span>}
          </span>
        </div>
        <Actions memory={memory} me={me} edit={edit} isEditing={isEditing} />
      </Group>
      <OutOfSight memory={memory} canWrite={canWrite} />
      {memory.flagged && <Flags memory={memory} isAdmin={me.scopes.includes("admin")} />}
      {hasDraft && !isEditing && (
        <Alert color="yellow" variant="outline" mb="md" role="status">
          <Group justify="space-between">
            {text.unsaved.restored}
            <Group gap="xs">
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                onClick={() => {
                  draft.drop();
                  setDraft(false);
                }}
              >
                {text.unsaved.discard}
              </Button>
              <Button size="compact-sm" onClick={edit}>
                {text.unsaved.stay}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      <div className="memory">
        <div>
          {isEditing ? (
            <Editor whole={whole} draft={draft} close={close} />
          ) : (
            <div className="card said">
              <StoredText text={memory.content} />
            </div>
          )}
          <Parts whole={whole} canWrite={canWrite} />
        </div>
        <Facts whole={whole} me={me} />
      </div>
    </div>
  );
}

/** Signs that a text speaks to agents; an admin who has read it may say that it does not. */
function Flags({ memory, isAdmin }: { readonly memory: WholeMemory["memory"]; readonly isAdmin: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { attempt, isPending } = useChange();
  return (
    <Alert color="yellow" variant="outline" title={text.memory.flaggedTitle} mb="md">
      {memory.flagged?.map((flag) => nameOf(text.flags, flag)).join(" · ")}
      <p className="lead">{text.memory.flaggedHint}</p>
      {isAdmin && (
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)} loading={isPending}>
          {text.inbox.harmless}
        </Button>
      )}
      {isOpen && (
        <AskReason
          title={text.inbox.harmless}
          lead={text.inbox.harmlessLead}
          close={() => setOpen(false)}
          take={(reason) => attempt(clearingFlags(memory, reason))}
        />
      )}
    </Alert>
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
  const restore = () => change({ run: () => bringBack(id), message: text.memory.restored });
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

/** Recalls that showed a memory, the last one first. */
function UsedBy({ usedBy }: { readonly usedBy: NonNullable<WholeMemory["used_by"]> }) {
  if (usedBy.length === 0) return <Nothing>{text.memory.notShown}</Nothing>;
  return (
    <>
      <p className="lead">{text.memory.shownLead}</p>
      <Table heads={[text.people.of, text.activity.at]}>
        {usedBy.map(({ member, at }) => (
          <tr key={`${member} ${at}`}>
            <td>{member === null ? text.activity.nobody : memberName(member)}</td>
            <td>
              <When at={at * 1000} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
