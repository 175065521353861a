import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { FileSnapshot, KnownFile, SnapshotKey } from "../ports/snapshots.ts";
import { redact } from "../redaction/redact.ts";
import { cleanJson } from "../redaction/redact-json.ts";
import { wellFormed } from "../text/characters.ts";
import { parsedJson } from "../text/json.ts";
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

const keyOf = (request: z.output<typeof snapshotGetInput>, stated: Stated): SnapshotKey => ({
  path: request.path,
  machine: request.machine ?? stated.machine,
  session: request.session ?? stated.session,
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
  request: z.output<typeof snapshotGetInput>,
  stated: Stated,
  ports: ToolPorts,
  caller: Caller,
) {
  const { snapshot, facts } = await findKnown(keyOf(request, stated), ports, caller);
  return { ok: true as const, snapshot: snapshot ? present(snapshot) : null, facts: [...facts] };
}

export async function putSnapshot(request: z.output<typeof snapshotPutInput>, stated: Stated, { store }: ToolPorts) {
  checkChunks(request.chunks);
  const { content_hash: contentHash, size_bytes: sizeBytes } = request;
  // All chunks are checked together first: most contain no secret, and redacting each text takes eight times as long.
  const chunks = redact(request.chunks) === request.chunks ? request.chunks : cleanJson(request.chunks, redact);
  const mtimeNs = request.mtime_ns ?? nanosecondsOf(request.mtime);
  await store.write((tx) => tx.snapshots.put(keyOf(request, stated), { contentHash, mtimeNs, sizeBytes, chunks }));
  return { ok: true as const };
}

export async function touchSnapshot(
  request: z.output<typeof snapshotTouchInput>,
  stated: Stated,
  { store }: ToolPorts,
) {
  const mtimeNs = request.mtime_ns ?? (request.mtime === undefined ? undefined : nanosecondsOf(request.mtime));
  await store.write((tx) => tx.snapshots.touch(keyOf(request, stated), mtimeNs));
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
