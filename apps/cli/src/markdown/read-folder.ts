import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { VISIBILITIES } from "@chest/core/access";
import { categoryOf, conditionOf, type ForeignMemory, type ForeignRead, secondsOf, textsOf } from "@chest/core/archive";
import { ENTITY_KINDS, type EntityKind, LAYERS, type Layer } from "@chest/core/memory";
import { type Note, readNote } from "./note.ts";

/** Most characters of one memory; a longer note is split between paragraphs. */
const MAX_CONTENT = 8_000;

export interface File {
  /** Path in the folder, with `/` as separator. */
  readonly path: string;
  readonly text: string;
}

/**
 * Finds the files with an extension in a folder and below it, without hidden files and links; or the one named file.
 */
export function filesIn(path: string, ending: string): File[] {
  if (!statSync(path).isDirectory()) return [{ path: basename(path), text: readFileSync(path, "utf8") }];
  return filesBelow(path)
    .filter((file) => file.endsWith(ending))
    .map((file) => ({ file, path: relative(path, file).split(sep).join("/") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ file, path }) => ({ path, text: readFileSync(file, "utf8") }));
}

/** The `recursive` option would follow links to folders, which may lead out of the folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    });
}

/**
 * Reads the notes of a folder, one memory each. A folder written by `chest-index export --format markdown` is read
 * without loss.
 */
export const readMarkdown = (folder: string): ForeignRead =>
  filesIn(folder, ".md").flatMap(({ path, text }) => {
    const note = readNote(text, path);
    const memories = memoriesOf(path, note);
    const isLost = note.fields.trigger !== undefined && memories.some(({ trigger }) => trigger === undefined);
    return isLost
      ? [...memories, { type: "left", what: "trigger", ref: path, reason: "it is no condition" }]
      : memories;
  });

const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function memoriesOf(path: string, { fields, body }: Note): ForeignMemory[] {
  const uid = typeof fields.uid === "string" && UID.test(fields.uid) ? fields.uid : undefined;
  const content = uid === undefined ? body.trim() : body.replace(/\r?\n$/, "");
  const parts = cutAtParagraphs(content);
  const title = text(fields.title) ?? (uid === undefined ? headingOf(content) : undefined);
  const stem = basename(path, ".md");
  return parts.map((part, at): ForeignMemory => {
    const isWhole = parts.length === 1;
    return {
      ref: path,
      uid: isWhole ? uid : undefined,
      key: isWhole ? (uid ?? path) : `${path}#${at + 1}`,
      content: part,
      title: uid === undefined ? `${title ?? stem}${isWhole ? "" : ` (${at + 1} of ${parts.length})`}` : title,
      name: text(fields.name),
      category: categoryOf(text(fields.category)),
      layer: LAYERS.find((layer): layer is Layer => layer === fields.layer),
      about: subjectOf(fields),
      tags: textsOf(fields.tags).map((tag) => tag.replace(/^#/, "").replace(/\s+/g, "-")),
      importance: number(fields.importance),
      confidence: number(fields.confidence),
      certainty: certainty(fields.certainty),
      evidence: textsOfList(fields.evidence),
      files: textsOfList(fields.files),
      sources: sourcesOf(fields.sources),
      visibility: VISIBILITIES.find((each) => each === fields.visibility),
      project: text(fields.project),
      createdAt: secondsOf(fields.created ?? fields.created_at ?? fields.date),
      updatedAt: secondsOf(fields.updated ?? fields.updated_at),
      expiresAt: secondsOf(fields.expires),
      isArchived: fields.archived === true,
      links: linksOf(fields.links),
      trigger: conditionOf(triggerIn(fields.trigger)),
    };
  });
}

const text = (field: unknown): string | undefined =>
  typeof field === "string" && field.trim() !== "" ? field.trim() : undefined;
/** A condition is a text, or an object of YAML. */
const triggerIn = (field: unknown): string | undefined =>
  typeof field === "object" && field !== null ? JSON.stringify(field) : text(field);
const number = (field: unknown): number | undefined => (typeof field === "number" ? field : undefined);
const certainty = (field: unknown): ForeignMemory["certainty"] =>
  (["definite", "likely", "uncertain", "speculative"] as const).find((each) => each === field);
const textsOfList = (field: unknown): string[] => (Array.isArray(field) ? field.map(String) : []);

function subjectOf(fields: Note["fields"]): ForeignMemory["about"] {
  const name = text(fields.entity);
  if (name === undefined) return undefined;
  return { name, kind: ENTITY_KINDS.find((kind): kind is EntityKind => kind === fields.entity_kind) ?? "other" };
}

type Cells = Readonly<Record<string, string | number | null>>;

function sourcesOf(field: unknown): Cells[] {
  if (!Array.isArray(field)) return [];
  return field.flatMap((each): Cells[] => {
    const { path, line, end_line, hash, git_commit } = (each ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof path !== "string") return [];
    const cell = (value: unknown) => (typeof value === "string" || typeof value === "number" ? value : null);
    return [{ path, line: cell(line), end_line: cell(end_line), hash: cell(hash), git_commit: cell(git_commit) }];
  });
}

function linksOf(field: unknown): { to: string; type: string }[] {
  return textsOfList(field).flatMap((link) => {
    const [, type, to] = /^([a-z_]+)\s+(\S+)$/.exec(link) ?? [];
    return type === undefined || to === undefined ? [] : [{ type, to }];
  });
}

const headingOf = (content: string): string | undefined => /^#\s+(.+?)\s*#*\s*$/m.exec(content)?.[1];

/** Splits a text into parts that fit into a memory, between paragraphs where possible. */
export function cutAtParagraphs(content: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const paragraph of content.split(/\n{2,}/).flatMap(pieces)) {
    if (part !== "" && part.length + 2 + paragraph.length > MAX_CONTENT) {
      parts.push(part);
      part = "";
    }
    part = part === "" ? paragraph : `${part}\n\n${paragraph}`;
  }
  return content.length <= MAX_CONTENT ? [content] : [...parts, part];
}

const pieces = (paragraph: string): string[] =>
  Array.from({ length: Math.max(1, Math.ceil(paragraph.length / MAX_CONTENT)) }, (_, at) =>
    paragraph.slice(at * MAX_CONTENT, (at + 1) * MAX_CONTENT),
  );
