import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "chest-memory-sdk";
import type { Narrowed } from "../parts/narrowing.tsx";
import { answer, chest, session, tool } from "./client.ts";

/** Every question of the page, by name; who changes something invalidates by the first word of a key. */
export const queries = {
  whoami: () =>
    queryOptions({
      queryKey: ["whoami"],
      queryFn: async () => (session.isThere ? await answer(chest.GET("/api/sign-in")) : null),
      staleTime: 60_000,
      retry: false,
    }),
  health: () => queryOptions({ queryKey: ["health"], queryFn: () => answer(chest.GET("/healthz")), retry: false }),
  stats: () => queryOptions({ queryKey: ["memories", "stats"], queryFn: () => resource<Stats>("memory://stats") }),
  /** Sums over all that the member may see. */
  sums: () =>
    queryOptions({
      queryKey: ["memories", "sums"],
      queryFn: async () => (await readView<Sums>("stats", { project: "*" })).items[0],
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
  /** How much waits for the member, or lies in another part of the inbox. */
  inbox: (part: InboxPart = "waiting") =>
    queryOptions({
      queryKey: ["inbox", part],
      queryFn: () => answer(chest.GET("/api/inbox", { params: { query: { project: "*", part } } })),
      // Not after every change: the search for near-duplicates reads all memories.
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
  /** The newest changes that the member may see, the newest first. */
  /** The newest changes, the last one first. */
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
  /** Memories by their numbers, as far as the member may see them. */
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
  /** Blocks that hooks would show; nothing is counted by looking. */
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
      queryFn: () => resource<History>(`memory://history/${id}?limit=200`),
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
      // As often as its bar moves while one is fetched.
      refetchInterval: ({ state: { data } }) =>
        data?.models.some(({ state }) => state === "fetching") ? 1000 : 30_000,
    }),
  backups: () => queryOptions({ queryKey: ["health", "backups"], queryFn: () => answer(chest.GET("/api/backups")) }),
  capabilities: () =>
    queryOptions({ queryKey: ["capabilities"], queryFn: () => answer(chest.GET("/capabilities")), staleTime: 60_000 }),
} as const;

/** Reads a resource, as an agent does over MCP. */
export const resource = async <T>(uri: string): Promise<T> =>
  (await answer(chest.GET("/api/resources", { params: { query: { uri } } }))) as T;

/** Reads a view of `chest_inspect`; the form of its items is the view's own. */
export async function readView<Item>(view: ViewName, query: ViewQuery = {}) {
  const found = await answer(chest.GET("/api/views/{view}", { params: { path: { view }, query } }));
  const items: readonly unknown[] = found.items;
  return { total: found.total, items: items as readonly Item[] };
}

/** Reads the items of a queue of the inbox, in the form of its view, with their notes. */
export async function readQueue<Item>(queue: Queue, part: InboxPart, limit: number) {
  const params = { path: { queue }, query: { project: "*", part, limit } };
  const found = await answer(chest.GET("/api/inbox/{queue}", { params }));
  const items: readonly unknown[] = found.items;
  return { total: found.total, items: items as readonly (Item & { readonly note?: InboxNote })[] };
}

export type Queue = paths["/api/inbox/{queue}"]["get"]["parameters"]["path"]["queue"];
export type InboxPart = NonNullable<NonNullable<paths["/api/inbox"]["get"]["parameters"]["query"]>["part"]>;
export type InboxNote = NonNullable<Get<"/api/inbox/{queue}">["items"][number]["note"]>;

export type ViewName = paths["/api/views/{view}"]["get"]["parameters"]["path"]["view"];
type ViewQuery = NonNullable<paths["/api/views/{view}"]["get"]["parameters"]["query"]>;

export const ENTITY_KINDS = ["person", "company", "project", "concept", "file", "other"] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];
export const LAYERS = ["goal", "realize", "learning", "implementation", "context", "emotion"] as const;

export type Category = NonNullable<NonNullable<paths["/api/memories"]["get"]["parameters"]["query"]>["category"]>;

type Counts = Readonly<Record<string, number>>;

interface Sums {
  readonly memories: number;
  readonly pinned: number;
  readonly archived: number;
  readonly superseded: number;
  readonly stale: number;
  readonly content_bytes: number;
  readonly by_layer: Counts;
  readonly by_category: Counts;
  readonly by_author: Counts;
  readonly by_project: Counts;
}

export interface Stats {
  readonly entity_count: number;
  readonly memory_count: number;
  readonly pinned_count: number;
  readonly by_layer: Readonly<Record<string, number>>;
  readonly by_entity_kind: Readonly<Record<string, number>>;
  readonly file_edits: number;
  readonly unique_files: number;
  readonly sessions_seen: number;
  readonly top_files: readonly { readonly file_path: string; readonly edits: number }[];
}

export type WholeMemory = Get<"/api/memories/{id}">;
export type MemoryRow = Get<"/api/memories">["memories"][number];
export type LinkGraph = Get<"/api/memories/{id}/graph">;

/** Answer of a route that is read. */
export type Get<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Answer } } } };
}
  ? Answer
  : never;

/** Question of what an agent would be shown. */
export interface PreviewQuestion {
  readonly prompt?: string;
  readonly project?: string;
  readonly member?: string;
  readonly memory_id?: number;
}

export type Preview = paths["/api/hooks/preview"]["post"]["responses"][200]["content"]["application/json"];

/** Version of a memory; the present one is the first. */
export type Version = Pick<WholeMemory["versions"][number], keyof KnownVersion>;

type KnownVersion = {
  [Key in keyof WholeMemory["versions"][number] as string extends Key ? never : Key]: unknown;
};

export interface History {
  readonly total: number;
  readonly versions: readonly Version[];
}

/** A memory as recall explains it. */
export type Hit = {
  readonly id: number;
  readonly entity: { readonly id?: number; readonly name: string; readonly kind?: string; readonly momentum?: number };
  readonly layer: string;
  readonly title?: string | null;
  readonly content: string;
  readonly author?: string;
  readonly project?: string;
  readonly tags?: readonly string[];
  readonly importance?: number;
  readonly created_at: number;
  readonly expires_at?: number;
  readonly pinned?: boolean;
  readonly heat?: number;
  readonly band?: string;
  readonly state?: string;
  readonly composite?: number;
  readonly match_reasons?: readonly string[];
  readonly score_breakdown?: Readonly<Record<string, number | string | null>>;
  readonly near_duplicates?: readonly number[];
};

/** Memories of a recall that was asked to explain them. */
export const hitsOf = (memories: readonly Readonly<Record<string, unknown>>[]): readonly Hit[] =>
  memories as readonly Hit[];
