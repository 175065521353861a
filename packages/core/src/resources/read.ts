import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { opensTo, projectOfKey } from "../access/project.ts";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { contextSections } from "../continuity/context-sections.ts";
import { withShownDoubts } from "../continuity/doubts.ts";
import type { Call } from "../executor.ts";
import { ENTITY_KINDS } from "../memory/entity.ts";
import { LAYERS } from "../memory/layer.ts";
import { isPinned, type Memory, stateOf } from "../memory/memory.ts";
import { defineOperation } from "../operation.ts";
import type { Pipeline } from "../pipeline.ts";
import type { Engine } from "../ports/engine.ts";
import type { Browse, Store } from "../ports/store.ts";
import { GUIDE } from "./guide.ts";
import { historyOf } from "./history.ts";
import { skillNamed } from "./skill.ts";
import { decoded, noSuchResource, type ResourceUri, readResourceUri } from "./uri.ts";

const RECENT_DAYS = 7;
const CONTEXT_TOKENS = 2000;

type Fields = Readonly<Record<string, unknown>>;
export type Payload = Fields & { readonly _notice: string };

/** Reads resources, locally or from a backend. */
export interface ResourceReader {
  /** The content of a resource. Throws errors that the reader can correct. */
  read(uri: string, call: Call): Promise<Payload>;
}

/** Reads a resource by its address. */
export const resource = defineOperation({
  endpoint: endpoints.resource,
  query: z.strictObject({ uri: z.string().min(1).max(4096) }),
  isPlaced: true,
  async run({ query: { uri } }, { store, call, engine }): Promise<Payload> {
    if (uri === "chest://guide") return { _notice: NOTICE, guide: GUIDE };
    if (uri === "chest://projects") return { _notice: NOTICE, ...(await projectsOf(call, engine)) };
    const skill = /^chest:\/\/skill\/([^/?#]+)$/.exec(uri)?.[1];
    if (skill !== undefined) return { _notice: NOTICE, ...(await skillOf(uri, skill, store)) };
    const address = uri === "chest://stats" ? "memory://stats" : uri;
    return readResource(address, store, call.caller.project);
  },
});

/** Reads resources of a store in this process. */
export const localResources = (pipeline: Pick<Pipeline, "answer">): ResourceReader => ({
  async read(uri, call) {
    if (!resource.query?.safeParse({ uri }).success) throw noSuchResource(uri);
    return (await pipeline.answer(resource, { query: { uri } }, call)) as Payload;
  },
});

/** A skill that was found on an agent's machine: its purpose, and the file with the instructions. */
async function skillOf(uri: string, name: string, store: Store): Promise<Fields> {
  const memory = await skillNamed(decoded(name, uri), store);
  if (!memory) throw noSuchResource(uri);
  return { name: memory.title, ...item(memory), path: memory.evidence[0] };
}

/** Projects that the caller may open, by key. */
async function projectsOf({ caller }: Call, { access }: Pick<Engine, "access">): Promise<Fields> {
  const open = (await access.projects()).filter((project) => opensTo(project, caller));
  const here = caller.project === undefined ? undefined : projectOfKey(open, caller.project);
  const projects = open.map(({ id, key, access: to }) => ({ key, access: to, current: id === here?.id }));
  return { count: projects.length, projects: projects.sort((a, b) => (a.key < b.key ? -1 : 1)) };
}

/** Content of a resource: only memories that the caller may open, and, except for a history, only live ones. */
export async function readResource(uri: string, store: Store, project?: string): Promise<Payload> {
  const asked = readResourceUri(uri);
  if (asked.kind === "stats") return { _notice: NOTICE, ...(await stats(store)) };
  if (asked.kind === "context") {
    const sections = await contextSections({ budget: CONTEXT_TOKENS, forTask: [] }, store, {
      project,
      now: new Date(),
    });
    return { _notice: NOTICE, sections };
  }
  if (asked.kind === "memory") return one(uri, asked.id, store);
  if (asked.kind === "history") return past(uri, asked, store);
  const { fields, note, ...view } = await viewOf(asked, uri, store);
  const where = { reach: "here", withArchived: false, withSuperseded: false, ...view.where } as const;
  const { total, memories } = await store.memories.browse({ limit: asked.limit, offset: asked.offset, ...view, where });
  const end = asked.offset + memories.length;
  return {
    _notice: NOTICE,
    ...fields,
    count: memories.length,
    total,
    ...(end < total ? { next: nextPage(uri, asked.limit, end) } : {}),
    ...(note === undefined ? {} : { note }),
    memories: await withShownDoubts(memories.map(item), store),
  };
}

interface View extends Pick<Browse, "order" | "usedWithinDays"> {
  readonly where?: Partial<Browse["where"]>;
  readonly fields?: Fields;
  readonly note?: string;
}

async function viewOf(request: ResourceUri, uri: string, store: Store): Promise<View> {
  switch (request.kind) {
    case "hot":
      return { order: "hot", note: "by how much each is in use" };
    case "recent":
      return { order: "used", usedWithinDays: RECENT_DAYS };
    case "realizes":
      return { order: "newest", where: { layers: ["realize"] } };
    case "layer":
      return { order: "newest", where: { layers: [request.layer] }, fields: { layer: request.layer } };
    case "entity": {
      const entity = await store.entities.byName(request.name, "here");
      if (!entity) throw noSuchResource(uri);
      return { order: "newest", where: { entityIds: entity.ids }, fields: { entity: entity.name } };
    }
    default:
      throw noSuchResource(uri);
  }
}

async function one(uri: string, id: number, store: Store): Promise<Payload> {
  const memory = await store.memories.byId(id);
  if (!memory || stateOf(memory) !== "live") throw noSuchResource(uri);
  const [shown] = await withShownDoubts([item(memory)], store);
  return { _notice: NOTICE, ...shown };
}

async function past(uri: string, request: ResourceUri & { readonly id: number }, store: Store): Promise<Payload> {
  const found = await historyOf(request, store);
  if (!found) throw noSuchResource(uri);
  const { fields, total, versions } = found;
  const end = request.offset + versions.length;
  const next = end < total ? { next: nextPage(uri, request.limit, end) } : {};
  return { _notice: NOTICE, ...fields, count: versions.length, total, ...next, versions };
}

/** Answer of `memory://stats`. */
export type ResourceStats = Awaited<ReturnType<typeof stats>>;

async function stats(store: Store) {
  const { layers, entities, createdBetween, edits, topFiles, sessions, consolidations } =
    await store.memories.overview("here");
  const sum = (list: readonly number[]) => list.reduce((total, n) => total + n, 0);
  return {
    entity_count: sum(entities.map((row) => row.entities)),
    memory_count: sum(layers.map((row) => row.memories)),
    pinned_count: sum(layers.map((row) => row.pinned)),
    by_layer: Object.fromEntries(
      LAYERS.map((layer) => [layer, sum(layers.filter((row) => row.layer === layer).map((row) => row.memories))]),
    ),
    by_entity_kind: Object.fromEntries(
      ENTITY_KINDS.map((kind) => [kind, sum(entities.filter((row) => row.kind === kind).map((row) => row.entities))]),
    ),
    file_edits: edits.edits,
    unique_files: edits.files,
    sessions_with_edits: edits.sessions,
    sessions_seen: sessions,
    consolidations,
    top_files: topFiles.map(({ path, edits }) => ({ file_path: path, edits })),
    date_range: {
      oldest: createdBetween?.oldest.toISOString() ?? null,
      newest: createdBetween?.newest.toISOString() ?? null,
    },
  };
}

/** A memory as a resource shows it. */
export type ListedMemory = ReturnType<typeof item>;

const item = (memory: Memory) => ({
  id: memory.id,
  entity: memory.entity.name,
  entity_kind: memory.entity.kind,
  layer: memory.layer,
  importance: memory.importance,
  pinned: isPinned(memory),
  content: memory.content,
  created_at: memory.createdAt.toISOString(),
  last_accessed_at: memory.lastAccessedAt?.toISOString() ?? null,
  access_count: memory.accessCount,
});

const nextPage = (uri: string, limit: number, cursor: number): string =>
  `${uri.split("?")[0]}?limit=${limit}&cursor=${cursor}`;
