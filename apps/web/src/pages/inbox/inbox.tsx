import { Button, Group } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { chest, tool } from "../../api/client.ts";
import { type Hit, queries } from "../../api/queries.ts";
import { text } from "../../i18n/index.ts";
import { Layer, When } from "../../parts/memory-bits.tsx";
import { notifyDone, notifyFailed } from "../../parts/notify.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";

/** Entities that are looked through: the most active ones, where agents meet the same words again. */
const ENTITIES = 12;

/** Queue of what agents could not settle: near-duplicates among the most active entities. */
export function Inbox() {
  const { data: me } = useQuery(queries.whoami());
  const asked = useQuery({ queryKey: ["memories", "inbox"], queryFn: findGroups, staleTime: 60_000 });
  return (
    <Page title={text.inbox.title} lead={text.inbox.lead}>
      <Answer of={asked}>
        {(groups) =>
          groups.length === 0 ? (
            <Nothing>{text.inbox.empty}</Nothing>
          ) : (
            <Groups groups={groups} canWrite={me?.scopes.includes("write") ?? false} />
          )
        }
      </Answer>
    </Page>
  );
}

interface GroupsProps {
  readonly groups: readonly (readonly Hit[])[];
  readonly canWrite: boolean;
}

function Groups({ groups, canWrite }: GroupsProps) {
  const [active, setActive] = useState(0);
  const queryClient = useQueryClient();
  const archive = useMutation({
    async mutationFn(ids: readonly number[]) {
      for (const memory_id of ids) await tool(chest.POST("/api/tools/chest_forget", { body: { memory_id } }));
    },
    onError: notifyFailed,
    async onSuccess() {
      notifyDone(text.inbox.settled);
      await queryClient.invalidateQueries({ queryKey: ["memories"] });
    },
  });
  const keep = (group: readonly Hit[] | undefined, place: number) => {
    const kept = group?.[place];
    if (!group || !kept || !canWrite || archive.isPending) return;
    archive.mutate(group.filter(({ id }) => id !== kept.id).map(({ id }) => id));
  };
  const move = (by: number) => setActive((now) => Math.max(0, Math.min(groups.length - 1, now + by)));
  useHotkeys([
    ["j", () => move(1)],
    ["k", () => move(-1)],
    ["1", () => keep(groups[active], 0)],
    ["2", () => keep(groups[active], 1)],
  ]);
  return (
    <>
      <p className="lead">
        {text.inbox.tabs.duplicates} · {text.inbox.keys}
      </p>
      {groups.map((group, at) => (
        <section key={group[0]?.id} className="card group" data-active={at === active || undefined}>
          <p className="lead">{text.inbox.perGroup(group.length)}</p>
          <div className="two">
            {group.map((hit, place) => (
              <div key={hit.id}>
                <p className="stored" dir="auto">
                  {hit.content}
                </p>
                <Group gap="sm">
                  <span className="meta">
                    <Link to="/memories/$id" params={{ id: String(hit.id) }}>
                      #{hit.id}
                    </Link>
                    <Layer layer={hit.layer} />
                    <bdi>{hit.entity.name}</bdi>
                    <When at={hit.created_at * 1000} />
                  </span>
                  {canWrite && (
                    <Button size="compact-xs" variant="default" onClick={() => keep(group, place)}>
                      {text.inbox.keepThis}
                    </Button>
                  )}
                </Group>
              </div>
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

/** Groups of memories that recall shows as one, since they say nearly the same. */
async function findGroups(): Promise<(readonly Hit[])[]> {
  const { entities } = await tool(chest.POST("/api/tools/chest_list_entities", { body: { limit: ENTITIES } }));
  const found = await Promise.all(entities.map(({ name }) => hitsAbout(name)));
  const groups = found.flat().filter(({ near_duplicates: alike = [] }) => alike.length > 0);
  const others = await byIds([...new Set(groups.flatMap(({ near_duplicates: alike = [] }) => alike))]);
  const seen = new Set<number>();
  return groups.flatMap((hit) => {
    const alike = (hit.near_duplicates ?? []).flatMap((id) => others.get(id) ?? []);
    if (seen.has(hit.id) || alike.length === 0) return [];
    for (const { id } of [hit, ...alike]) seen.add(id);
    return [[hit, ...alike]];
  });
}

async function hitsAbout(entity_name: string): Promise<readonly Hit[]> {
  const body = { entity_name, mark_accessed: false, explain: true, limit: 100, max_tokens: 6000, snippet_mode: true };
  return (await tool(chest.POST("/api/tools/chest_recall", { body }))).memories as unknown as Hit[];
}

async function byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Hit>> {
  if (ids.length === 0) return new Map();
  const body = { ids: ids.slice(0, 200), mark_accessed: false, explain: true };
  const { memories } = await tool(chest.POST("/api/tools/chest_recall", { body }));
  return new Map((memories as unknown as Hit[]).map((hit) => [hit.id, hit]));
}
