import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ArchiveRecord, EntityRecord, MemoryRecord } from "@chest/core/archive";
import { parsedJson } from "@chest/core/text";
import { StartError } from "@chest/runtime";
import { noteText } from "./note.ts";

/**
 * Writes memories into a new folder, one file each, below a folder named after their project. People can read the
 * files, and `chest-index import --from markdown` can import them. The folder appears only when it is complete.
 * @returns the number of memories.
 */
export async function writeFolder(
  records: AsyncIterable<ArchiveRecord> | Iterable<ArchiveRecord>,
  out: string,
): Promise<number> {
  const target = resolve(out);
  assertFree(target);
  const entities = new Map<string, EntityRecord>();
  const memories: MemoryRecord[] = [];
  const links = new Map<string, string[]>();
  for await (const record of records) {
    if (record.type === "entity") entities.set(record.uid, record);
    else if (record.type === "memory") memories.push(record);
    else if (record.type === "link")
      links.set(record.from, [...(links.get(record.from) ?? []), `${record.kind} ${record.to}`]);
  }
  const draft = `${target}.part-${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    for (const memory of memories) {
      const file = join(draft, folderOf(memory), fileOf(memory));
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const fields = fieldsOf(memory, entities.get(memory.entity), links.get(memory.uid));
      writeFileSync(file, noteText({ fields, body: memory.content }), { mode: 0o600 });
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return memories.length;
}

function assertFree(folder: string): void {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new StartError(
      `\`${folder}\` is not a writable folder (${code ?? "unknown"})`,
      "name a new one with `--out`",
    );
  }
  if (names.length > 0)
    throw new StartError(`\`${folder}\` is not empty`, "name a new or an empty folder with `--out`");
}

/** Makes a file name that every file system accepts. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)
    .replace(/^-+|(?<!-)-+$/g, "");

const folderOf = ({ project, visibility }: MemoryRecord): string =>
  visibility === "private" ? "private" : plain(project ?? "") || "team";

function fileOf({ id, content, columns }: MemoryRecord): string {
  const words = plain(String(columns.title ?? content.slice(0, 80)));
  return `${[id, words].filter((part) => part !== "").join("-")}.md`;
}

function fieldsOf(memory: MemoryRecord, entity: EntityRecord | undefined, links: readonly string[] = []) {
  const { columns, tags, files, sources } = memory;
  const fields: Record<string, unknown> = {
    title: columns.title,
    name: columns.name,
    layer: columns.layer,
    category: columns.category,
    entity: entity?.name,
    entity_kind: entity?.kind,
    tags: listOf(tags),
    importance: columns.importance,
    confidence: columns.confidence,
    certainty: columns.certainty,
    evidence: listOf(parsedJson(String(columns.evidence ?? "[]"))),
    files: listOf(files.map(({ path }) => path)),
    sources: listOf(
      sources.map(({ path, line, end_line, hash, git_commit }) => known({ path, line, end_line, hash, git_commit })),
    ),
    links: listOf(links),
    trigger: triggerOf(columns.trigger),
    visibility: memory.visibility,
    project: memory.project,
    author: memory.author,
    created: dateOf(columns.created_at),
    updated: dateOf(columns.updated_at),
    expires: dateOf(columns.expires_at),
    archived: columns.archived_at === undefined ? undefined : true,
    uid: memory.uid,
  };
  return known(fields);
}

/** A condition as it was given: an expression, or JSON. */
function triggerOf(stored: unknown): string | undefined {
  const condition = typeof stored === "string" ? parsedJson(stored) : undefined;
  return typeof condition === "object" && condition !== null ? JSON.stringify(condition) : textOf(condition);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Omits fields without a value. */
const known = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

const listOf = (list: unknown): readonly unknown[] | undefined =>
  Array.isArray(list) && list.length > 0 ? list : undefined;

const dateOf = (at: unknown): string | undefined =>
  typeof at === "number" && !Number.isNaN(new Date(at * 1000).getTime())
    ? new Date(at * 1000).toISOString()
    : undefined;
