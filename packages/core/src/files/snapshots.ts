import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { FileSnapshot, KnownFile, SnapshotKey } from "../ports/snapshots.ts";
import { redact } from "../redaction/redact.ts";
import { cleanJson } from "../redaction/redact-json.ts";
import { parsedJson } from "../text/json.ts";
import { wellFormed } from "../text/well-formed.ts";
import { invalid, type ToolPorts } from "../tool.ts";
import { factsOn } from "./file-facts.ts";

const MAX_CHUNKS = 20_000;
const NS_PER_MS = 1_000_000n;

const clean = (text: string): string => redact(wellFormed(text));
const name = () => z.string().max(128).transform(clean).optional();
const file = { path: z.string().min(1).max(4096).transform(clean), machine: name(), session: name() };
const nanoseconds = () => z.string().regex(/^\d{1,20}$/, "is not a whole number of nanoseconds");

export const snapshotGetInput = z.strictObject(file);
export const snapshotTouchInput = z.strictObject({
  ...file,
  mtime: z.int().min(0).optional(),
  mtime_ns: nanoseconds().optional(),
});
export const snapshotPutInput = z.strictObject({
  ...file,
  content_hash: z.string().min(1).max(128),
  mtime: z.int().min(0).describe("Milliseconds"),
  mtime_ns: nanoseconds().optional(),
  size_bytes: z.int().min(0),
  chunks: z.string().describe("JSON text of an array of chunks"),
});

/** Machine and session of the call, used if a request does not name them. */
type Stated = Pick<SnapshotKey, "machine" | "session">;

const keyOf = (asked: z.output<typeof snapshotGetInput>, stated: Stated): SnapshotKey => ({
  path: asked.path,
  machine: asked.machine ?? stated.machine,
  session: asked.session ?? stated.session,
});

/** Finds a session's last reading of a file, and the memories about the file if the caller may read them. */
export async function findKnown(key: SnapshotKey, ports: ToolPorts, { scopes }: Caller): Promise<KnownFile> {
  const [snapshot, facts] = await Promise.all([
    ports.store.snapshots.find(key),
    scopes.has("read") ? factsOn(key.path, ports).catch(noneOfBusy) : [],
  ]);
  return { snapshot, facts };
}

/** If the store is too busy to search, the reading is returned without memories. */
function noneOfBusy(error: unknown): [] {
  if (error instanceof ChestError) return [];
  throw error;
}

export async function getSnapshot(
  asked: z.output<typeof snapshotGetInput>,
  stated: Stated,
  ports: ToolPorts,
  caller: Caller,
) {
  const { snapshot, facts } = await findKnown(keyOf(asked, stated), ports, caller);
  return { ok: true as const, snapshot: snapshot ? present(snapshot) : null, facts: [...facts] };
}

export async function putSnapshot(asked: z.output<typeof snapshotPutInput>, stated: Stated, { store }: ToolPorts) {
  checkChunks(asked.chunks);
  const { content_hash: contentHash, size_bytes: sizeBytes } = asked;
  // All chunks are checked together first: most contain no secret, and redacting each text takes eight times as long.
  const chunks = redact(asked.chunks) === asked.chunks ? asked.chunks : cleanJson(asked.chunks, redact);
  const mtimeNs = asked.mtime_ns ?? nanosecondsOf(asked.mtime);
  await store.write((tx) => tx.snapshots.put(keyOf(asked, stated), { contentHash, mtimeNs, sizeBytes, chunks }));
  return { ok: true as const };
}

export async function touchSnapshot(asked: z.output<typeof snapshotTouchInput>, stated: Stated, { store }: ToolPorts) {
  const mtimeNs = asked.mtime_ns ?? (asked.mtime === undefined ? undefined : nanosecondsOf(asked.mtime));
  await store.write((tx) => tx.snapshots.touch(keyOf(asked, stated), mtimeNs));
  return { ok: true as const };
}

const nanosecondsOf = (ms: number): string => String(BigInt(ms) * NS_PER_MS);

const present = (found: FileSnapshot) => ({
  path: found.path,
  content_hash: found.contentHash,
  mtime: Number(BigInt(found.mtimeNs) / NS_PER_MS),
  mtime_ns: found.mtimeNs,
  size_bytes: found.sizeBytes,
  chunks: found.chunks,
  last_read_at: found.lastReadAt.toISOString(),
  read_count: found.readCount,
});

// Hashes, kinds, line numbers and ids; a reading never contains text of the file.
const chunkList = z
  .array(z.record(z.string().max(64), z.union([z.string().max(512), z.number(), z.boolean(), z.null()])))
  .max(MAX_CHUNKS);

function checkChunks(text: string): void {
  if (chunkList.safeParse(parsedJson(text)).success) return;
  throw invalid([{ path: "chunks", message: "is not the JSON text of an array of chunks" }]);
}
