import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answer, chest, tool } from "./client.ts";

/** Every question of the page, by name; who changes something invalidates by the first word of a key. */
export const queries = {
  whoami: () =>
    queryOptions({
      queryKey: ["whoami"],
      queryFn: () => answer(chest.GET("/api/sign-in")),
      staleTime: 60_000,
      retry: false,
    }),
  health: () =>
    queryOptions({ queryKey: ["health"], queryFn: () => answer(chest.GET("/healthz")), refetchInterval: 30_000 }),
  stats: () => queryOptions({ queryKey: ["memories", "stats"], queryFn: () => resource<Stats>("memory://stats") }),
  memory: (id: number) =>
    queryOptions({
      queryKey: ["memories", id],
      queryFn: () =>
        tool(
          chest.POST("/api/tools/chest_recall", {
            body: {
              ids: [id],
              mark_accessed: false,
              include_archived: true,
              include_superseded: true,
              explain: true,
            },
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
  signIns: () => queryOptions({ queryKey: ["people", "sign-ins"], queryFn: () => answer(chest.GET("/api/sign-ins")) }),
  host: () =>
    queryOptions({
      queryKey: ["health", "host"],
      queryFn: () => answer(chest.GET("/diagnostics/host")),
      refetchInterval: 15_000,
    }),
  backups: () => queryOptions({ queryKey: ["health", "backups"], queryFn: () => answer(chest.GET("/api/backups")) }),
  capabilities: () =>
    queryOptions({ queryKey: ["capabilities"], queryFn: () => answer(chest.GET("/capabilities")), staleTime: 60_000 }),
} as const;

/** Reads a resource, as an agent does over MCP. */
export const resource = async <T>(uri: string): Promise<T> =>
  (await answer(chest.GET("/api/resources", { params: { query: { uri } } }))) as T;

export const ENTITY_KINDS = ["person", "company", "project", "concept", "file", "other"] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];
export const LAYERS = ["goal", "realize", "learning", "implementation", "context", "emotion"] as const;

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

export interface Version {
  readonly version: number;
  readonly content: string;
  readonly layer?: string;
  readonly importance?: number;
  readonly tags: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly ended_by?: string;
  readonly reason?: string;
  readonly changed_by?: string;
}

export interface History {
  readonly id: number;
  readonly entity: string;
  readonly entity_kind: string;
  readonly state: "live" | "archived" | "superseded";
  readonly total: number;
  readonly versions: readonly Version[];
}

/** A memory as recall explains it. */
export interface Hit {
  readonly id: number;
  readonly entity: { readonly id?: number; readonly name: string; readonly kind?: string; readonly momentum?: number };
  readonly layer: string;
  readonly content: string;
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
}
