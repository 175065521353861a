import { hash } from "node:crypto";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Visibility } from "../access/space.ts";
import { canonical } from "../memory/canonical.ts";
import type { Layer } from "../memory/layer.ts";
import { isProtected, stateOf } from "../memory/memory.ts";
import type { PendingText } from "../ports/pending.ts";
import { type CaptureOutcome, SOURCE_GONE } from "../ports/sessions.ts";
import type { Writes } from "../ports/store.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { cutToUnits } from "../text/cut.ts";
import type { ServerPorts } from "../tool.ts";
import { textsToEmbed } from "./capture.ts";
import { rehearse } from "./rehearse.ts";

const MOST_FILES = 100;
/** How many are looked through for files that are gone. */
export const MOST_MEMORY_FILES = 200;

const name = (most: number) => z.string().min(1).max(most).transform(wellFormed);
const path = () => name(500);

/** Notes that an agent keeps by hand in one folder of one machine, or some of them. */
export const memoryFilesInput = z.strictObject({
  machine: z.string().regex(/^[\w-]{1,64}$/, "is not the name of a machine"),
  folder: z
    .string()
    .regex(/^[\w-]{1,32}$/, "is not the name of a folder")
    .describe("The same for the same folder"),
  project_name: name(200).optional(),
  files: z
    .array(
      z.strictObject({
        path: path(),
        text: z.string().max(100_000).transform(wellFormed),
        modified_at: z.string().max(40).pipe(z.coerce.date()),
      }),
    )
    .max(MOST_FILES),
  present: z
    .array(path())
    .max(MOST_MEMORY_FILES)
    .optional()
    .describe("All files of the folder: what came of others is archived"),
  dry_run: z.boolean().optional().describe("Show the result, change nothing"),
});
export type MemoryFiles = z.output<typeof memoryFilesInput>;

export interface MemoryFilesReport {
  readonly memories: Readonly<Record<CaptureOutcome | "archived", number>>;
}

interface MemoryFilesPorts extends Pick<ServerPorts, "store" | "clock" | "embedSoon"> {
  readonly contentChars: number;
}

interface Kind {
  readonly layer: Layer;
  readonly importance: number;
  readonly visibility: Visibility;
}

// A person's traits and wishes belong to that person; facts belong to the project.
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["feedback", { layer: "learning", importance: 0.7, visibility: "private" }],
  ["user", { layer: "context", importance: 0.6, visibility: "private" }],
  ["project", { layer: "context", importance: 0.6, visibility: "project" }],
  ["reference", { layer: "context", importance: 0.6, visibility: "project" }],
]);
const OTHER: Kind = { layer: "context", importance: 0.5, visibility: "project" };

/**
 * Takes notes into memory, each once: a changed one is brought up to date unless a member edited its memory, and the
 * memory of one that is gone is archived until it returns. They do not expire: a note that is still there still holds.
 */
export async function captureMemoryFiles(
  { machine, folder, project_name, files, present, dry_run: isDryRun }: MemoryFiles,
  { store, clock, contentChars, embedSoon }: MemoryFilesPorts,
  caller: Caller,
): Promise<MemoryFilesReport> {
  const session = `memory-files:${caller.member.id}:${machine}:${folder}`;
  const keyOf = (file: string) =>
    hash("sha256", JSON.stringify([caller.member.id, session, "memory_file", file]), "hex");
  const now = clock.now();
  const drafts = files.flatMap(({ path, text, modified_at: at }) => {
    const { fields, body } = readFrontMatter(text);
    if (body.trim() === "") return [];
    const { layer, importance, visibility } = KINDS.get(fields.type ?? "") ?? OTHER;
    const title = [fields.name, fields.description].filter(Boolean).join(": ");
    // Redacted before it is cut: half a secret no longer looks like one.
    const content = cutToUnits(redact(title === "" ? body.trim() : `${title}\n\n${body.trim()}`), contentChars);
    return {
      layer,
      importance,
      tags: [],
      text: canonical(content),
      session,
      rule: "memory_file" as const,
      at: new Date(Math.min(at.getTime(), now.getTime())),
      captureKey: keyOf(path),
      expiresAt: undefined,
      hasOwnExpiry: true,
      visibility: caller.project === undefined ? ("private" as const) : visibility,
      projectKey: caller.project,
    };
  });
  const kept = present && new Set(present.map(keyOf));
  const known = kept ? (await store.sessions.trace(session)).memories : [];
  const gone = known.filter(({ captureKey }) => captureKey !== undefined && !kept?.has(captureKey));
  const name = caller.project?.split("/").at(-1) ?? project_name ?? "notes";
  const counts = {
    inserted: 0,
    updated: 0,
    unchanged: 0,
    kept: 0,
    same_words: 0,
    purged: 0,
    forgotten: 0,
    archived: 0,
  };
  const take = async (tx: Writes) => {
    const done: (keyof typeof counts)[] = [];
    const texts: PendingText[] = [];
    if (drafts.length > 0) {
      await tx.sessions.keepProgress(
        session,
        { nextLine: 0, lastLineHash: undefined, carry: undefined },
        caller.project,
      );
      for (const draft of drafts) {
        const { visibility, projectKey } = draft;
        const named = { name: redact(name), kind: "project", key: undefined, visibility, projectKey } as const;
        const { entity } = await tx.entities.findOrAdd(named);
        const captured = await tx.sessions.capture({ ...draft, entity });
        done.push(captured.outcome);
        texts.push(...textsToEmbed(draft, captured));
      }
    }
    for (const {
      memory: { id },
    } of gone) {
      // Another process that takes the same folder may have changed it since it was read.
      const memory = await tx.memories.byId(id);
      if (!memory || stateOf(memory) !== "live" || isProtected(memory)) continue;
      await tx.sessions.retire(memory);
      await tx.entities.noteEvent(memory.entity.id, "memory_archived", { memory_id: id, reason: SOURCE_GONE });
      done.push("archived");
    }
    return { done, texts };
  };
  const { done, texts } = await (isDryRun ? rehearse(store.write, take) : store.write(take));
  if (!isDryRun) embedSoon?.(texts);
  for (const outcome of done) counts[outcome] += 1;
  return { memories: counts };
}

export interface FrontMatter {
  readonly fields: Readonly<Partial<Record<"name" | "description" | "type", string>>>;
  readonly body: string;
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const FIELD = /^\s*(name|description|type)\s*:\s*(.*?)\s*$/;

/**
 * Parses the front matter between two lines of dashes above a note. Of nested fields, as of `metadata`, the type
 * counts too.
 */
export function readFrontMatter(text: string): FrontMatter {
  const fenced = FENCED.exec(text);
  if (!fenced) return { fields: {}, body: text };
  const fields: Partial<Record<string, string>> = {};
  const lines = (fenced[1] ?? "").split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, name = "", said = ""] = FIELD.exec(line) ?? [];
    const isOwn = name === "type" || !/^\s/.test(line);
    const given = /^[>|][+-]?$/.test(said) ? indentedAfter(lines, at) : said;
    const value = given.replace(/^(["'])(.*)\1$/, "$2");
    if (isOwn && value !== "" && fields[name] === undefined) fields[name] = value;
  }
  return { fields, body: text.slice(fenced[0].length) };
}

/** Text of the indented lines that follow one, in one line. */
function indentedAfter(lines: readonly string[], at: number): string {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && !/^\s/.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).join(" ").replace(/\s+/g, " ").trim();
}
