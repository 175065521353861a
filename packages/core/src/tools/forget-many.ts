import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { cited, counted } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { some } from "../answers/wire.ts";
import { isProtected, type Memory, stateOf } from "../memory/memory.ts";
import { readTags } from "../memory/tags.ts";
import type { Filter } from "../ports/search.ts";
import { vectorLeg } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import { cut } from "../text/cut.ts";
import { invalid, type ToolPorts } from "../tool.ts";
import * as field from "./fields.ts";
import { reasonKept } from "./refusals.ts";

/** Marks an argument that selects what is forgotten: if it is empty, the call is no sweep. */
export const CHOOSES = {
  chooses:
    "name what is meant; all that is hardly used is meant where none of these is given, and `dry_run: true` shows it",
} as const;

/** Arguments that select several memories at once. */
export const MANY = {
  ids: z.array(field.id()).min(1).max(200).optional().meta(CHOOSES),
  tags: field.tags().optional().describe("Those with all of these").meta(CHOOSES),
  query: z.string().min(1).optional().describe("Those that say every word of it, or mean it").meta(CHOOSES),
  before: field.moment().optional().describe("Those created before then").meta(CHOOSES),
  confirm: z.boolean().default(false).describe("With ids, tags, query or before: do it; without, a preview"),
} as const;

const asked = z.object(MANY);
type BulkForget = z.output<typeof asked> & { readonly dry_run: boolean };

export const isOfMany = ({ ids, tags, query, before }: BulkForget): boolean =>
  [ids, tags, query, before].some((each) => each !== undefined);

const FOUND_AT_MOST = 1000;
const LEAST_COSINE = 0.75;
const PREVIEWED = 10;
const PREVIEW_CHARS = 100;

/**
 * Archives all memories that meet every condition, up to a cap, or previews that. Protected memories stay and are
 * named.
 */
export async function forgetMany(input: BulkForget, ports: ToolPorts) {
  if (input.ids && [input.tags, input.query, input.before].some((each) => each !== undefined)) {
    throw invalid([{ path: "ids", message: "go alone: leave out `tags`, `query` and `before`" }]);
  }
  const isDone = input.confirm && !input.dry_run;
  return isDone ? ports.store.once(() => forgotten(input, ports, isDone)) : forgotten(input, ports, isDone);
}

async function forgotten(input: BulkForget, ports: ToolPorts, isDone: boolean) {
  const { store, limits } = ports;
  const { memories, missing, total } = input.ids ? await ofIds(input.ids, ports) : await ofConditions(input, ports);
  const live = memories.filter((memory) => stateOf(memory) === "live");
  const gone = memories.flatMap((memory) =>
    stateOf(memory) === "live" ? [] : [{ id: memory.id, state: stateOf(memory) }],
  );
  const kept = live.filter(isProtected).map((memory) => ({ id: memory.id, reason: reasonKept(memory) }));
  const going = live.filter((memory) => !isProtected(memory)).slice(0, limits.sweepCap);
  const remaining = Math.max(0, total - kept.length - going.length - (memories.length - live.length));

  function answer(ids: readonly number[]) {
    return {
      ok: true as const,
      dry_run: !isDone,
      matched: total,
      affected: ids.length,
      ids: [...ids],
      ...some("kept", kept),
      ...some("not_live", gone),
      ...some("not_found", missing),
      remaining: isDone ? remaining + (going.length - ids.length) : remaining,
      cap: limits.sweepCap,
    };
  }
  if (!isDone) {
    const preview = going.slice(0, PREVIEWED).map(previewLine).join("\n");
    return { ...answer(going.map(({ id }) => id)), ...(preview === "" ? {} : { preview }) };
  }
  return store.write(async (tx) => {
    const gone: number[] = [];
    for (const { id } of going) {
      const memory = await tx.memories.byId(id);
      if (!memory || stateOf(memory) !== "live" || isProtected(memory)) continue;
      await tx.memories.archive(memory, "forget");
      await tx.entities.noteEvent(memory.entity.id, "memory_archived", { memory_id: id, reason: "forget" });
      gone.push(id);
    }
    return answer(gone);
  });
}

interface ForgetMatches {
  readonly memories: readonly Memory[];
  readonly missing: readonly number[];
  readonly total: number;
}

async function ofIds(ids: readonly number[], { store }: ToolPorts): Promise<ForgetMatches> {
  const memories = await store.memories.byIds([...new Set(ids)]);
  const found = new Set(memories.map(({ id }) => id));
  const missing = [...new Set(ids)].filter((id) => !found.has(id));
  return { memories, missing, total: memories.length };
}

async function ofConditions({ tags, query, before }: BulkForget, ports: ToolPorts): Promise<ForgetMatches> {
  const { store, limits, ranking } = ports;
  const where: Filter = {
    reach: "here",
    tags: tags && readTags(tags),
    until: before === undefined ? undefined : new Date(field.readMoment(before, "before").getTime() - 1),
    withArchived: false,
    withSuperseded: false,
  };
  if (query === undefined) {
    // Protected memories stay but count as matches: the limit has room for both.
    const limit = limits.sweepCap + FOUND_AT_MOST;
    const { total, memories } = await store.memories.browse({ order: "newest", where, limit, offset: 0 });
    return { memories, missing: [], total };
  }
  const read = readQuery(query, ranking.synonyms);
  if (read.units.length === 0) {
    throw new ChestError("INVALID_INPUT", "query: it contains no word to search for", {
      hint: "name what the memories say, or give `ids`",
      details: { field: "query" },
    });
  }
  const { active } = await store.identities();
  const [words, vector] = await Promise.all([
    store.search.matchWords(read, where, FOUND_AT_MOST),
    vectorLeg(read, { filter: where, active }, ports, FOUND_AT_MOST),
  ]);
  const ids = new Set([
    ...(words ?? []).flatMap(({ id, isWhole }) => (isWhole ? [id] : [])),
    ...(vector.hits ?? []).flatMap(({ id, score }) => (score >= LEAST_COSINE ? [id] : [])),
  ]);
  const memories = await store.memories.byIds([...ids]);
  return { memories, missing: [], total: memories.length };
}

const previewLine = ({ id, layer, entity, content }: Memory): string =>
  `${id}: ${layer} / ${framed(entity.name)}: ${cut(framed(content), PREVIEW_CHARS)}`;

/** Renders such an answer as text. */
export function forgottenManyText(answer: {
  readonly dry_run?: boolean | undefined;
  readonly matched: number;
  readonly ids?: readonly number[] | undefined;
  readonly kept?: readonly { readonly id: number; readonly reason: string }[] | undefined;
  readonly not_live?: readonly { readonly id: number; readonly state: string }[] | undefined;
  readonly not_found?: readonly number[] | undefined;
  readonly remaining?: number | undefined;
}): string[] {
  const {
    dry_run: isDry,
    matched,
    ids = [],
    kept = [],
    not_live: gone = [],
    not_found: missing = [],
    remaining = 0,
  } = answer;
  const done = ids.length === 0 ? "nothing" : cited(ids);
  return [
    `${isDry ? "would archive" : "archived"} ${done}: ${ids.length} of ${counted(matched, "memory that matches", "memories that match")}`,
    ...(isDry && ids.length > 0 ? ["`confirm: true` does it"] : []),
    ...kept.map(({ id, reason }) => `protected, kept: ${cited([id])} (${reason})`),
    ...gone.map(({ id, state }) => `${cited([id])} is ${state === "superseded" ? "replaced" : "archived"} already`),
    ...(missing.length > 0 ? [`not found: ${missing.join(", ")}`] : []),
    ...(remaining > 0 ? [`${remaining} are left for the next call`] : []),
  ];
}
