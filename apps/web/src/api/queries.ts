import type { EntityKind, Layer } from "@chest/core/memory";
import type { ExplainedMemory } from "@chest/core/recall";
import type { ResourceStats } from "@chest/core/resources";
import type { ViewItem, ViewName } from "@chest/core/views";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "chest-memory-sdk";
import type { Narrowed } from "../parts/narrowing.tsx";
import { answer, chest, session, tool } from "./client.ts";

/** All queries of the page. A change invalidates queries by the first word of their keys. */
export const queries = {
  whoami: () =>
    queryOptions({
      queryKey: ["whoami"],
      queryFn: async () => (session.isThere ? await answer(chest.GET("/api/sign-in")) : null),
      staleTime: 60_000,
      retry: false,
    }),
  health: () => queryOptions({ queryKey: ["health"], queryFn: () => answer(chest.GET("/healthz")), retry: false }),
  stats: () =>
    queryOptions({ queryKey: ["memories", "stats"], queryFn: () => resource<ResourceStats>("memory://stats") }),
  /** Totals over all memories that the member may see. */
  sums: () =>
    queryOptions({
      queryKey: ["memories", "sums"],
      queryFn: async () => (await readView("stats", { project: "*" })).items[0],
    }),
  memory: (id: number) =>
    queryOptions({
      queryKey: ["memories", id],
      queryFn: () => answer(chest.GET("/api/memories/{id}", { params: { path: { id } } })),
    }),
  graph: (id: number) =>
    queryOptions({
      queryKey: ["memories", id, "graph"],
      queryFn: () => answer(chest.GET("/api/memories/{id}/graph", { params: { path: { id }, query: {} } })),
    }),
  series: (days: number) =>
    queryOptions({
      queryKey: ["memories", "series", days],
      queryFn: () => answer(chest.GET("/stats", { params: { query: { series: "day", days, project: "*" } } })),
    }),
  /** Number of items in a part of the inbox: by default those that wait for the member. */
  inbox: (part: InboxPart = "waiting") =>
    queryOptions({
      queryKey: ["inbox", part],
      queryFn: () => answer(chest.GET("/api/inbox", { params: { query: { project: "*", part } } })),
      // Not reloaded after every change, because the search for near-duplicates reads all memories.
      refetchInterval: 60_000,
      staleTime: 30_000,
    }),
  /** Members to whom an item of the inbox can be assigned. */
  deciders: (queue: Queue, memory_id: number, against: number | undefined) =>
    queryOptions({
      queryKey: ["inbox", "deciders", queue, memory_id, against],
      queryFn: () =>
        answer(
          chest.GET("/api/inbox/deciders", {
            params: { query: { queue, memory_id, ...(against === undefined ? {} : { against }) } },
          }),
        ),
      retry: false,
    }),
  work: (closed: boolean) =>
    queryOptions({
      queryKey: ["memories", "work", closed],
      queryFn: () => answer(chest.GET("/api/work", { params: { query: { closed: String(closed) } } })),
    }),
  home: (since: "look" | "day" | "week") =>
    queryOptions({
      queryKey: ["memories", "home", since],
      queryFn: () => answer(chest.GET("/api/home", { params: { query: { since } } })),
      placeholderData: keepPreviousData,
    }),
  /** The newest changes that the member may see, the last one first. */
  events: ({ author: member, project, day }: Narrowed = {}) =>
    queryOptions({
      queryKey: ["memories", "events", { member, project, day }],
      queryFn: async () => {
        const query = {
          ...(member && { member }),
          ...(project && { project }),
          ...(day && { since: day, until: day }),
        };
        return (await answer(chest.GET("/events", { params: { query } }))).events.toReversed();
      },
    }),
  /** Titles of memories by id, for those that the member may see. */
  titles: (ids: readonly number[]) =>
    queryOptions({
      queryKey: ["memories", "titles", ids],
      queryFn: async () => {
        if (ids.length === 0) return new Map<number, string>();
        const body = { ids: [...ids], mark_accessed: false, include_archived: true, include_superseded: true };
        const { memories } = await tool(chest.POST("/api/tools/chest_recall", { body }));
        return new Map(
          hitsOf(memories).map(({ id, title, content }) => [id, title ?? content.split("\n", 1)[0] ?? ""]),
        );
      },
      placeholderData: keepPreviousData,
    }),
  session: (id: string, author: string | undefined) =>
    queryOptions({
      queryKey: ["memories", "session", id, author],
      queryFn: () =>
        answer(
          chest.GET("/api/sessions/{id}", {
            params: { path: { id }, query: author === undefined ? {} : { author } },
          }),
        ),
      retry: false,
    }),
  /** Blocks of text that hooks would show. A preview does not count as a use. */
  preview: (request: PreviewQuestion) =>
    queryOptions({
      queryKey: ["memories", "preview", request],
      queryFn: () => answer(chest.POST("/api/hooks/preview", { body: { ...request } })),
      placeholderData: keepPreviousData,
    }),
  gaps: () =>
    queryOptions({ queryKey: ["memories", "gaps"], queryFn: () => answer(chest.GET("/api/gaps", { params: {} })) }),
  conversation: (id: string, project: string | undefined) =>
    queryOptions({
      queryKey: ["memories", "conversations", id, project],
      queryFn: () =>
        answer(
          chest.GET("/api/conversations/{id}", {
            params: { path: { id }, query: { limit: 200, ...(project === undefined ? {} : { project }) } },
          }),
        ),
    }),
  history: (id: number) =>
    queryOptions({
      queryKey: ["memories", id, "history"],
      queryFn: () => resource<Pick<WholeMemory, "versions">>(`memory://history/${id}?limit=200`),
    }),
  entities: (search: { readonly kind?: EntityKind | undefined; readonly offset: number; readonly limit: number }) =>
    queryOptions({
      queryKey: ["memories", "entities", search],
      queryFn: () =>
        tool(
          chest.POST("/api/tools/chest_list_entities", {
            body: { ...(search.kind && { kind: search.kind }), limit: search.limit, offset: search.offset },
          }),
        ),
      placeholderData: keepPreviousData,
    }),
  file: (path: string) =>
    queryOptions({
      queryKey: ["memories", "file", path],
      queryFn: () =>
        tool(chest.POST("/api/tools/chest_recall_file", { body: { path_substring: path, max_intents: 30 } })),
      enabled: path !== "",
    }),
  sso: () =>
    queryOptions({
      queryKey: ["sso"],
      queryFn: () => answer(chest.GET("/api/sso")),
      staleTime: Infinity,
      retry: false,
    }),
  authorization: (uid: string) =>
    queryOptions({
      queryKey: ["authorization", uid],
      queryFn: () => answer(chest.GET("/api/authorizations/{uid}", { params: { path: { uid } } })),
      retry: false,
    }),
  members: () => queryOptions({ queryKey: ["people", "members"], queryFn: () => answer(chest.GET("/api/members")) }),
  tokens: (all: boolean) =>
    queryOptions({
      queryKey: ["people", "tokens", all],
      queryFn: () => answer(chest.GET("/api/tokens", { params: { query: { all: String(all) } } })),
    }),
  projects: () => queryOptions({ queryKey: ["people", "projects"], queryFn: () => answer(chest.GET("/api/projects")) }),
  webhooks: () =>
    queryOptions({
      queryKey: ["people", "webhooks"],
      queryFn: () => answer(chest.GET("/api/webhooks")),
      refetchInterval: 15_000,
    }),
  signIns: () => queryOptions({ queryKey: ["people", "sign-ins"], queryFn: () => answer(chest.GET("/api/sign-ins")) }),
  host: () =>
    queryOptions({
      queryKey: ["health", "host"],
      queryFn: () => answer(chest.GET("/diagnostics/host")),
      refetchInterval: 15_000,
    }),
  maintenance: () =>
    queryOptions({ queryKey: ["health", "maintenance"], queryFn: () => answer(chest.GET("/api/maintenance")) }),
  clients: () =>
    queryOptions({
      queryKey: ["health", "clients"],
      queryFn: () => answer(chest.GET("/api/clients")),
    }),
  models: () =>
    queryOptions({
      queryKey: ["health", "models"],
      queryFn: () => answer(chest.GET("/api/models")),
      // While a model is being downloaded, its progress bar is updated every second.
      refetchInterval: ({ state: { data } }) =>
        data?.models.some(({ state }) => state === "fetching") ? 1000 : 30_000,
    }),
  backups: () => queryOptions({ queryKey: ["health", "backups"], queryFn: () => answer(chest.GET("/api/backups")) }),
  capabilities: () =>
    queryOptions({ queryKey: ["capabilities"], queryFn: () => answer(chest.GET("/capabilities")), staleTime: 60_000 }),
} as const;

/** Reads a resource by its URI, as agents do over MCP. */
export const resource = async <T>(uri: string): Promise<T> =>
  (await answer(chest.GET("/api/resources", { params: { query: { uri } } }))) as T;

/** Reads a view of `chest_inspect`; the form of its items is the view's own. */
export async function readView<Name extends ViewName>(view: Name, query: ViewQuery = {}) {
  const found = await answer(chest.GET("/api/views/{view}", { params: { path: { view }, query } }));
  const items: readonly unknown[] = found.items;
  return { total: found.total, items: items as readonly ViewItem<Name>[] };
}

/** Item of a queue of the inbox, in the form of its view, with its note. */
export type QueueItem<Name extends Queue> = ViewItem<Name> & { readonly note?: InboxNote };

/** Reads the items of a queue of the inbox. */
export async function readQueue<Name extends Queue>(queue: Name, part: InboxPart, limit = 50) {
  const params = { path: { queue }, query: { project: "*", part, limit } };
  const found = await answer(chest.GET("/api/inbox/{queue}", { params }));
  const items: readonly unknown[] = found.items;
  return { total: found.total, items: items as readonly QueueItem<Name>[] };
}

export type Queue = paths["/api/inbox/{queue}"]["get"]["parameters"]["path"]["queue"];
export type InboxPart = NonNullable<NonNullable<paths["/api/inbox"]["get"]["parameters"]["query"]>["part"]>;
export type InboxNote = NonNullable<Get<"/api/inbox/{queue}">["items"][number]["note"]>;

type ViewQuery = NonNullable<paths["/api/views/{view}"]["get"]["parameters"]["query"]>;

/** Lists the names of a closed set in the page's order; the compiler checks that none is missing. */
const all = <Name extends string>(names: Readonly<Record<Name, 1>>) => Object.keys(names) as Name[];

export const ENTITY_KINDS = all<EntityKind>({ person: 1, company: 1, project: 1, concept: 1, file: 1, other: 1 });
export const LAYERS = all<Layer>({ goal: 1, realize: 1, learning: 1, implementation: 1, context: 1, emotion: 1 });

export type Category = NonNullable<NonNullable<paths["/api/memories"]["get"]["parameters"]["query"]>["category"]>;

export type WholeMemory = Get<"/api/memories/{id}">;
export type MemoryRow = Get<"/api/memories">["memories"][number];
export type LinkGraph = Get<"/api/memories/{id}/graph">;

/** Type of the answer of a GET route. */
export type Get<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Answer } } } };
}
  ? Answer
  : never;

/** Request for a preview of hooks. */
export type PreviewQuestion = paths["/api/hooks/preview"]["post"]["requestBody"]["content"]["application/json"];

export type Preview = paths["/api/hooks/preview"]["post"]["responses"][200]["content"]["application/json"];

/** Version of a memory; the first in a list is the present one. */
export type Version = WholeMemory["versions"][number];

/** Fields of an answer in which every closed set of strings is widened to `string`, as in the types of the API. */
type OnWire<T> = { readonly [Key in keyof T]: Exclude<T[Key], undefined> extends string ? string : T[Key] };
type Explained = OnWire<ExplainedMemory>;

/** Memory in a list of results. Results of a recall also have its score and reasons. */
export type Hit = Partial<Omit<Explained, "entity">> &
  Pick<Explained, "id" | "layer" | "content" | "created_at"> & {
    readonly entity: Partial<OnWire<ExplainedMemory["entity"]>> & Pick<ExplainedMemory["entity"], "name">;
    readonly state?: string;
  };

/** Results of a recall with `explain`. */
export const hitsOf = (memories: readonly Readonly<Record<string, unknown>>[]): readonly Hit[] =>
  memories as readonly Hit[];
