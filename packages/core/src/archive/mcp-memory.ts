import { z } from "zod";
import type { EntityKind } from "../memory/entity.ts";
import { expiryOf } from "../memory/layer.ts";
import { hashtagsOf } from "../memory/tags.ts";
import { redact } from "../redaction/redact.ts";
import { parsedJson } from "../text/json.ts";
import { type ArchiveRecord, type SkippedRecord, stableUid } from "./record.ts";

const name = z.string().min(1).max(500);
const line = z.discriminatedUnion("type", [
  z.object({ type: z.literal("entity"), name, entityType: z.string(), observations: z.array(z.string()) }),
  z.object({ type: z.literal("relation"), from: name, to: name, relationType: z.string().min(1) }),
]);

const KINDS: readonly (readonly [EntityKind, RegExp])[] = [
  ["person", /^(person|people|user|human|developer|author|contact)$/i],
  ["company", /^(company|organi[sz]ation|org|team|vendor|customer|client)$/i],
  ["project", /^(project|repo(sitory)?|service|app(lication)?|product|system|codebase)$/i],
  ["file", /^(file|path|module|document)$/i],
  ["concept", /^(concept|topic|idea|technology|tool|library|framework|pattern|preference)$/i],
];
const kindOf = (type: string): EntityKind => KINDS.find(([, words]) => words.test(type.trim()))?.[0] ?? "other";

/**
 * The reference MCP server's `memory.jsonl`: each observation becomes a memory of its entity, each relation a sentence
 * about the one it starts from. The format has no times, so they count from now.
 */
export async function* readMcpMemory(
  lines: AsyncIterable<string>,
  now: Date,
): AsyncGenerator<ArchiveRecord | SkippedRecord> {
  const nowS = Math.floor(now.getTime() / 1000);
  const kinds = new Map<string, EntityKind>();
  const known = new Set<string>();
  let at = 0;
  let id = 0;

  const entityOf = (of: string): string => stableUid("mcp-memory", "entity", of);
  const entity = (of: string): ArchiveRecord => {
    known.add(of);
    const kind = kinds.get(of) ?? "other";
    return { type: "entity", uid: entityOf(of), kind, name: of, created_at: nowS, updated_at: nowS, aliases: [] };
  };
  const memory = (of: string, content: string): ArchiveRecord => {
    id++;
    const expires = expiryOf("learning", now);
    return {
      type: "memory",
      uid: stableUid("mcp-memory", of, content),
      id,
      entity: entityOf(of),
      visibility: "team",
      content,
      columns: {
        layer: "learning",
        importance: 0.5,
        created_at: nowS,
        updated_at: nowS,
        expires_at: expires ? Math.floor(expires.getTime() / 1000) : null,
        source_type: "import",
        source: "mcp-memory",
      },
      tags: hashtagsOf(redact(content)),
      files: [],
      sources: [],
      versions: [],
      accesses: [],
      vectors: [],
    };
  };

  for await (const text of lines) {
    at++;
    if (text.trim() === "") continue;
    const given = line.safeParse(parsedJson(text));
    if (!given.success) {
      yield { type: "left", what: "line", ref: `line ${at}`, reason: "neither an entity nor a relation" };
      continue;
    }
    const { data } = given;
    if (data.type === "entity") {
      kinds.set(data.name, kindOf(data.entityType));
      yield entity(data.name);
      for (const observation of data.observations) {
        if (observation.trim() === "") yield { type: "left", what: "observation", ref: `line ${at}`, reason: "blank" };
        else yield memory(data.name, observation);
      }
    } else {
      if (!known.has(data.from)) yield entity(data.from);
      yield memory(data.from, `${data.from} ${data.relationType.replaceAll("_", " ")} ${data.to}`);
    }
  }
}
