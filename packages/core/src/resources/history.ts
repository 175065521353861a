import { isPinned, type Memory, stateOf } from "../memory/memory.ts";
import { BY_MODEL, DEFAULT_METADATA } from "../memory/metadata.ts";
import { REWORD } from "../memory/past-version.ts";
import type { Store } from "../ports/store.ts";
import { metadataOf } from "../recall/answer/formats.ts";
import { parsedJson } from "../text/json.ts";

/**
 * Lists the present and earlier versions of a memory in any state, newest first. Undefined if the caller may not open
 * it.
 */
export async function historyOf(
  { id, limit, offset }: { readonly id: number; readonly limit: number; readonly offset: number },
  store: Store,
): Promise<{ readonly total: number; readonly fields: object; readonly versions: readonly object[] } | undefined> {
  const memory = await store.memories.byId(id);
  if (!memory) return undefined;
  // The present state is the first entry and is no past version.
  const isFirst = offset === 0;
  const page = { id, limit: limit - Number(isFirst), offset: Math.max(offset - 1, 0) };
  const past = await store.memories.pastVersions(page);
  // The change that ended a version created the next one. A memory that a model proposed starts with the model's words.
  const writers = new Map(past.versions.map(({ version, op, reason }) => [version + 1, writtenBy(op, reason)]));
  if (memory.sourceType === BY_MODEL) writers.set(1, { written_by: "llm" });
  const versions = past.versions.map(({ op, reason, moved, by, changedAt, metadata, trigger, ...was }) => ({
    ...was,
    ...(metadata ? metadataOf({ ...DEFAULT_METADATA, ...metadata }) : {}),
    ...shownTrigger(trigger),
    until: changedAt.toISOString(),
    ended_by: op,
    ...(reason === undefined ? {} : { reason }),
    ...(moved?.from !== undefined && { moved_from: moved.from }),
    ...(moved?.to !== undefined && { moved_to: moved.to }),
    changed_by: by,
  }));
  const made = versions.map((each) => ({ ...each, ...writers.get(each.version) }));
  return {
    total: past.total + 1,
    fields: { id, entity: memory.entity.name, entity_kind: memory.entity.kind, state: stateOf(memory) },
    versions: isFirst
      ? [{ ...now(memory), ...writers.get(memory.version), ...shownTrigger(await store.triggers.of(id)) }, ...made]
      : made,
  };
}

const writtenBy = (op: string, model: string | undefined): { written_by: string; model?: string } | undefined =>
  op === REWORD ? { written_by: "llm", ...(model === undefined ? {} : { model }) } : undefined;

const shownTrigger = (stored: string | undefined) =>
  stored === undefined ? {} : { trigger: parsedJson(stored) ?? stored };

const now = (memory: Memory) => {
  const { version, content, layer, importance, tags, visibility, updatedAt } = memory;
  const said = { ...metadataOf(memory), visibility, pinned: isPinned(memory), since: updatedAt.toISOString() };
  return { version, content, layer, importance, tags, ...said };
};
