import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ChestError } from "@chest/contracts";
import {
  type ArchiveRecord,
  type ForeignRead,
  foreignRecords,
  readClaudeMemLite,
  readContextMemory,
  readDoobidoo,
  readMem0,
  readMemoryMcp,
  rowsOfExport,
  type SkippedRecord,
} from "@chest/core/archive";
import { loadStores } from "@chest/runtime";
import { readBasicMemory } from "../markdown/basic-memory.ts";
import { filesIn, readMarkdown } from "../markdown/read-folder.ts";

/** Readers for exports of other systems, by format. A reader takes a file, or a folder where the system keeps one. */
const READERS: Readonly<Record<string, { readonly hasFolder?: true; read(path: string): Promise<ForeignRead> }>> = {
  "claude-mem-lite": { read: async (file) => readClaudeMemLite(textOf(file)) },
  "context-memory": { read: readFacts },
  "memory-mcp": {
    hasFolder: true,
    read: async (path) =>
      filesIn(path, ".json").flatMap((file): ForeignRead => {
        const conversation = basename(dirname(file.path === basename(path) ? path : `${path}/${file.path}`));
        if (basename(file.path) === "long-term-memory.json") return readMemoryMcp(file.text, conversation);
        return [
          { type: "left", what: "file", ref: file.path, reason: "only long-term memories come in", isByDesign: true },
        ];
      }),
  },
  doobidoo: { read: async (file) => readDoobidoo(textOf(file)) },
  mem0: { read: async (file) => readMem0(textOf(file)) },
  "basic-memory": { hasFolder: true, read: async (path) => readBasicMemory(path) },
  markdown: { hasFolder: true, read: async (path) => readMarkdown(path) },
};

export const FOREIGN_NAMES: readonly string[] = Object.keys(READERS);

export const takesFolder = (format: string): boolean => READERS[format]?.hasFolder === true;

/** Reads an export completely before any record is imported, so that a truncated export changes nothing. */
export async function readForeign(format: string, path: string): Promise<Iterable<ArchiveRecord | SkippedRecord>> {
  const read = (await READERS[format]?.read(path)) ?? [];
  const isOther = read.length > 0 && read.every((each) => "type" in each && !each.isByDesign);
  if (read.length === 0 || isOther) throw notOfFormat(format, path);
  return foreignRecords(format, read, new Date());
}

const textOf = (file: string): string => readFileSync(file, "utf8");

const SQLITE = "SQLite format 3";

async function readFacts(file: string): Promise<ForeignRead> {
  if (readFileSync(file).subarray(0, SQLITE.length).toString("latin1") === SQLITE) {
    const { readContextMemoryRows } = await loadStores(() => import("@chest/store-sqlite"));
    const { facts, relations } = readContextMemoryRows(file);
    return readContextMemory(facts, relations);
  }
  return readContextMemory(rowsOfExport(textOf(file), ["facts"]));
}

const notOfFormat = (format: string, path: string) =>
  new ChestError("INVALID_INPUT", `\`${path}\` holds nothing that \`${format}\` writes`, {
    hint: "name another format with `--from`, or the file or folder that it exported; nothing was imported",
  });
