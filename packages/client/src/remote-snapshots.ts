import { endpoints } from "@chest/contracts";
import type { Call } from "@chest/core/executor";
import type { SnapshotKey, Snapshots } from "@chest/core/ports";
import { z } from "zod";
import type { Backend } from "./backend.ts";
import { headersOf } from "./remote-executor.ts";

// Files can be read without snapshots, so the wait is short.
const WITHIN_MS = 2_000;
const NS_PER_MS = 1_000_000n;

const nanoseconds = z.string().regex(/^\d{1,20}$/);

/** Snapshots of files that a session read, kept on a backend as hashes and line numbers. */
export function remoteSnapshots(backend: Backend, call: Call): Snapshots {
  const asked = (body: object) => ({
    body,
    headers: headersOf({ ...call, idempotencyKey: undefined }),
    signal: call.signal,
    tries: 1,
    withinMs: WITHIN_MS,
  });
  const named = ({ path, machine, session }: SnapshotKey) => ({ path, machine, session });
  return {
    async find(key) {
      const { result } = await backend.call(endpoints.snapshotGet, asked(named(key)));
      const { snapshot, facts } = result;
      if (!snapshot) return { snapshot: undefined, facts };
      const { data: exact } = nanoseconds.safeParse(snapshot.mtime_ns);
      const known = {
        path: snapshot.path,
        contentHash: snapshot.content_hash,
        // An older backend keeps milliseconds; then content alone can be compared.
        mtimeNs: exact ?? String(BigInt(snapshot.mtime) * NS_PER_MS),
        sizeBytes: snapshot.size_bytes,
        chunks: snapshot.chunks,
        lastReadAt: new Date(snapshot.last_read_at),
        readCount: snapshot.read_count,
      };
      return { snapshot: known, facts };
    },
    async put(key, { contentHash, mtimeNs, sizeBytes, chunks }) {
      const body = {
        ...named(key),
        content_hash: contentHash,
        size_bytes: sizeBytes,
        chunks,
        mtime: Number(BigInt(mtimeNs) / NS_PER_MS),
        mtime_ns: mtimeNs,
      };
      await backend.call(endpoints.snapshotPut, asked(body));
    },
    async touch(key, mtimeNs) {
      const times = mtimeNs === undefined ? {} : { mtime_ns: mtimeNs };
      await backend.call(endpoints.snapshotTouch, asked({ ...named(key), ...times }));
    },
  };
}
