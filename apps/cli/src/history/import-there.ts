import { randomUUID } from "node:crypto";
import { knownCapabilities, remoteExecutor } from "@chest/client";
import { ChestError } from "@chest/contracts";
import {
  type ArchiveRecord,
  type EntityRecord,
  type ImportReport,
  ImportTally,
  type LinkRecord,
  type MemoryRecord,
  type SkippedRecord,
} from "@chest/core/archive";
import { TOOLS } from "@chest/core/tools";
import { operatorHere } from "../connect/access-admin.ts";
import { withBackend } from "../connect/backend.ts";
import type { Reach } from "../connect/config.ts";

type Records = AsyncIterable<ArchiveRecord | SkippedRecord> | Iterable<ArchiveRecord | SkippedRecord>;

export interface RecordFlags {
  readonly project: string | undefined;
  readonly isDry: boolean;
}

/**
 * Imports the records of another system on a backend, as the member of the token. The backend treats the same words in
 * the same place as one memory, so a repeat adds nothing. It dates each memory by the day of the import.
 */
export function importThere(reach: Reach, records: Records, flags: RecordFlags): Promise<ImportReport> {
  return withBackend(reach, async (backend) => {
    const executor = remoteExecutor(TOOLS, backend, knownCapabilities(backend));
    const tally = new ImportTally();
    const entities = new Map<string, EntityRecord>();
    const ids = new Map<string, number>();
    const links: LinkRecord[] = [];
    const ask = (tool: string, input: object) =>
      executor.execute(tool, input, {
        caller: operatorHere(flags.project),
        requestId: randomUUID(),
        idempotencyKey: randomUUID(),
        signal: new AbortController().signal,
      });
    for await (const record of records) {
      if (record.type === "left") tally.leave(record);
      else if (record.type === "entity") entities.set(record.uid, record);
      else if (record.type === "link") links.push(record);
      else if (record.type === "memory") {
        if (record.columns.archived_at !== undefined) {
          tally.leave({ what: "memory", ref: record.id, reason: "archived there", isByDesign: true });
        } else if (flags.isDry) tally.memories.inserted++;
        else await take(record);
      }
    }
    for (const { from, to, kind } of links) {
      const [memory_id, other] = [ids.get(from), ids.get(to)];
      if (memory_id === undefined || other === undefined || memory_id === other) continue;
      await ask("chest_update_memory", { memory_id, add_links: [`${kind}:${other}`] });
      tally.links++;
    }
    return tally.report();

    async function take(record: MemoryRecord): Promise<void> {
      try {
        const answer = await ask("chest_remember", rememberedAs(record, entities.get(record.entity), flags.project));
        ids.set(record.uid, Number(answer.memory_id));
        tally.memories[answer.action === "created" ? "inserted" : "unchanged"]++;
      } catch (error) {
        // A record that the backend refuses is left out; a failure that affects every call stops the import.
        if (!(error instanceof ChestError) || !["REJECTED", "VALIDATION_ERROR", "INVALID_INPUT"].includes(error.code)) {
          throw error;
        }
        tally.leave({ what: "memory", ref: record.id, reason: error.message.slice(0, 200) });
      }
    }
  });
}

/** Reads a stored condition in the form that agents write. A record keeps an expression as JSON text. */
function conditionOf(stored: unknown): unknown {
  if (typeof stored !== "string") return undefined;
  const read: unknown = JSON.parse(stored);
  return typeof read === "string" ? read : stored;
}

function rememberedAs(record: MemoryRecord, entity: EntityRecord | undefined, project: string | undefined) {
  const { layer, importance, title, category, confidence, certainty, evidence, name } = record.columns;
  const optional = { title, category, confidence, certainty, name, trigger: conditionOf(record.columns.trigger) };
  const place = project ?? record.project;
  const visibility = record.visibility === "project" && place === undefined ? "team" : record.visibility;
  const sources = record.sources.map(({ path, line }) => (line ? `${path}:${line}` : String(path)));
  return {
    content: record.content,
    layer,
    importance,
    ...(entity ? { entity_name: entity.name, entity_kind: entity.kind } : {}),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined && value !== null)),
    ...(typeof evidence === "string" ? { evidence: JSON.parse(evidence) } : {}),
    tags: record.tags.slice(0, 50),
    files: record.files.map(({ path }) => path).slice(0, 50),
    ...(sources.length > 0 ? { source: sources.slice(0, 20) } : {}),
    ...(place === undefined ? {} : { project: place }),
    visibility: project !== undefined && visibility === "team" ? "project" : visibility,
    source_type: "inferred",
  };
}
