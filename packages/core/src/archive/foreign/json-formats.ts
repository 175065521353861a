import { CERTAINTIES, type Certainty } from "../../memory/metadata.ts";
import { readCondition } from "../../triggers/condition.ts";
import type { SkippedRecord } from "../record.ts";
import { categoryOf, type ForeignMemory, projectSubject, secondsOf, textsOf } from "./foreign-memory.ts";
import { numberIn, rowsOfExport, textIn } from "./whole-json.ts";

type JsonRow = Readonly<Record<string, unknown>>;
export type ForeignRead = readonly (ForeignMemory | SkippedRecord)[];

const WEIGHTS: Readonly<Record<string, number>> = { critical: 0.9, high: 0.75, normal: 0.5, low: 0.25 };
const GRADES = [0.35, 0.6, 0.85];

const left = (ref: string | number, reason: string, isByDesign = false): SkippedRecord => ({
  type: "left",
  what: "memory",
  ref,
  reason,
  isByDesign,
});

/** Reads the output of `claude-mem-lite export`: its observations, as JSON or a line each. */
export const readClaudeMemLite = (text: string): ForeignRead =>
  rowsOfExport(text, ["observations"]).map((row, at): ForeignMemory | SkippedRecord => {
    const ref = refOf(row, at);
    const title = textIn(row, "title");
    const content = paragraphs(
      textIn(row, "narrative", "text"),
      textIn(row, "subtitle"),
      ...textsOf(row.facts).map((fact) => `- ${fact}`),
      prefixed("Lesson: ", textIn(row, "lesson_learned")),
    );
    if (content === "" && title === undefined) return left(ref, "no title and no text");
    if (row.compressed_into) return left(ref, "compressed into another one", true);
    const grade = numberIn(row, "importance");
    return {
      ref,
      key: ref,
      content: content || (title ?? ""),
      title,
      category: categoryOf(textIn(row, "type")),
      about: projectSubject(textIn(row, "project")),
      tags: tagsOf(row.concepts),
      importance: grade === undefined ? undefined : GRADES[grade - 1],
      files: [...textsOf(row.files_modified), ...textsOf(row.files_read)],
      session: textIn(row, "memory_session_id"),
      gitBranch: textIn(row, "branch"),
      createdAt: secondsOf(row.created_at_epoch) ?? secondsOf(row.created_at),
      isArchived: row.superseded_at !== undefined && row.superseded_at !== null,
      links: textsOf(row.related_ids).map((to) => ({ to, type: "related_to" })),
    };
  });

/** Reads facts of context-memory by the fields of its data model, with relations if it has any. */
export function readContextMemory(facts: readonly JsonRow[], relations: readonly JsonRow[] = []): ForeignRead {
  const byFact = Map.groupBy(relations, ({ from_id }) => String(from_id));
  return facts.map((row, at): ForeignMemory | SkippedRecord => {
    const ref = refOf(row, at);
    const content = textIn(row, "content");
    if (content === undefined) return left(ref, "no `content`");
    const project = textIn(row, "project_path");
    const weight = textIn(row, "importance")?.toLowerCase();
    return {
      ref,
      key: ref,
      content,
      category: categoryOf(textIn(row, "category")),
      about: projectSubject(project),
      tags: tagsOf(row.topics),
      importance: weight === undefined ? undefined : WEIGHTS[weight],
      confidence: numberIn(row, "confidence"),
      certainty: certaintyOf(textIn(row, "certainty")),
      evidence: textsOf(row.evidence),
      sources: sourcesOf(textIn(row, "source"), textIn(row, "source_content_hash"), project),
      session: textIn(row, "session_id"),
      createdAt: secondsOf(row.created_at),
      updatedAt: secondsOf(row.updated_at),
      isArchived: row.archived === true || row.archived === 1,
      links: (byFact.get(String(ref)) ?? []).flatMap((relation) => {
        const to = textIn(relation, "to_id");
        return to === undefined ? [] : [{ to, type: textIn(relation, "relation_type", "type") ?? "related_to" }];
      }),
    };
  });
}

/** A conversation's `long-term-memory.json` of memory-mcp-server. @param conversation name of its folder. */
export function readMemoryMcp(text: string, conversation: string): ForeignRead {
  return rowsOfExport(text, ["memories"]).flatMap((row, at): (ForeignMemory | SkippedRecord)[] => {
    const name = textIn(row, "name");
    const ref = name ?? refOf(row, at);
    const content = textIn(row, "prompt");
    if (content === undefined) return [left(ref, "no `prompt`")];
    const trigger = conditionOf(textIn(row, "trigger"));
    const memory: ForeignMemory = {
      ref,
      key: `${conversation}/${ref}`,
      content,
      name,
      evidence: [textIn(row, "createdContext"), textIn(row, "updatedContext")].filter((each) => each !== undefined),
      tags: tagsOf([`conversation:${conversation}`]),
      trigger,
      createdAt: secondsOf(row.createdAt),
    };
    if (trigger !== undefined || textIn(row, "trigger") === undefined) return [memory];
    return [memory, { type: "left", what: "trigger", ref, reason: "its JavaScript is not supported in a condition" }];
  });
}

/** Reads the output of `export_memories.py` of mcp-memory-service. */
export const readDoobidoo = (text: string): ForeignRead =>
  rowsOfExport(text, ["memories"]).map((row, at): ForeignMemory | SkippedRecord => {
    const ref = textIn(row, "content_hash") ?? refOf(row, at);
    const content = textIn(row, "content");
    if (content === undefined) return left(ref, "no `content`");
    const kind = textIn(row, "memory_type");
    const category = categoryOf(kind);
    return {
      ref,
      key: ref,
      content,
      category,
      tags: tagsOf([...textsOf(row.tags), ...(category || !kind ? [] : [kind])]),
      createdAt: secondsOf(row.created_at),
      updatedAt: secondsOf(row.updated_at),
    };
  });

/** Reads an answer of `get_all` of mem0, its export by a schema, or a bare list. */
export const readMem0 = (text: string): ForeignRead =>
  rowsOfExport(text, ["results", "memories", "records"]).map((row, at): ForeignMemory | SkippedRecord => {
    const ref = refOf(row, at);
    const content = textIn(row, "memory", "content");
    if (content === undefined) return left(ref, "no `memory`");
    const owners = ["user_id", "agent_id", "app_id"].flatMap((name) => {
      const owner = textIn(row, name);
      return owner === undefined ? [] : [`${name.slice(0, -3)}:${owner}`];
    });
    return {
      ref,
      key: ref,
      content,
      tags: tagsOf([...textsOf(row.categories), ...owners]),
      session: textIn(row, "run_id"),
      createdAt: secondsOf(row.created_at),
      updatedAt: secondsOf(row.updated_at),
      expiresAt: secondsOf(row.expiration_date),
    };
  });

const refOf = (row: JsonRow, at: number): string | number => {
  const { id } = row;
  return typeof id === "string" || typeof id === "number" ? id : at + 1;
};

const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join("\n");

const prefixed = (prefix: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : prefix + text;

/** Tags, without the spaces that another system allows in them. */
const tagsOf = (input: unknown): string[] => textsOf(input).map((tag) => tag.trim().replace(/\s+/g, "-"));

const certaintyOf = (word: string | undefined): Certainty | undefined => CERTAINTIES.find((each) => each === word);

const SOURCE = /^(.+?)(?::(\d+))?$/;

function sourcesOf(source: string | undefined, hash: string | undefined, project: string | undefined) {
  const [, path = "", line] = SOURCE.exec(source ?? "") ?? [];
  const own = project !== undefined && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
  if (own === "" || /^(?:[\\/]|[a-z]:)|(?:^|\/)\.\.(?:\/|$)/i.test(own)) return [];
  const isHash = hash !== undefined && /^[0-9a-f]{64}$/.test(hash);
  return [{ path: own, line: line === undefined ? null : Number(line), hash: isHash ? hash : null, status: "unknown" }];
}

/** Stored form of a condition of another system; undefined for one that Chest cannot read. */
export function conditionOf(trigger: string | undefined): string | undefined {
  if (trigger === undefined) return undefined;
  try {
    return readCondition(trigger);
  } catch {
    return undefined; // Named as left out: its memory comes in without it.
  }
}
