import { mkdir, readdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import { type Description, describe, descriptionFile, readDescription } from "../description.ts";
import { folderOf, type ModelFile, type ModelSpec } from "../spec.ts";
import { digestsOf } from "./digest.ts";
import { diskError } from "./disk-error.ts";
import { fetchFile } from "./fetch-file.ts";
import type { Get } from "./get.ts";

export interface FetchOptions {
  readonly modelsDir: string;
  /** The hub, or a mirror of it. */
  readonly endpoint: string;
  readonly get: Get;
  /** Undefined while another process holds the lock. */
  readonly lock: (path: string) => Promise<{ release(): Promise<void> } | undefined>;
  /** Downloads existing files as well, and replaces them once the new ones are verified. */
  readonly isForced?: boolean;
  /** Reads existing files completely, and downloads damaged ones again. */
  readonly isVerifying?: boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: FetchEvent) => void;
  readonly silenceMs?: number;
  readonly waitMs?: number;
}

export type FetchEvent =
  | { readonly kind: "waiting" }
  | { readonly kind: "progress"; readonly file: string; readonly received: number; readonly total: number | undefined }
  | { readonly kind: "done"; readonly result: FileResult };

export interface FileResult {
  readonly file: string;
  readonly status: "downloaded" | "cached" | "failed";
  readonly bytes: number;
  readonly ms: number;
  readonly error?: ChestError;
}

const SILENCE_MS = 30_000;
const WAIT_MS = 1000;
const POLL_MS = 500;

/** Brings a model's files to this machine, small ones first; ends at the first that cannot be had. */
export async function fetchModel(spec: ModelSpec, options: FetchOptions): Promise<readonly FileResult[]> {
  const folder = folderOf(options.modelsDir, spec.id);
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw diskError(error, folder) ?? error;
  }
  const held = await whenFree(join(folder, ".lock"), options);
  try {
    await purge(folder, spec, options);
    return await fetchAll(spec, folder, options);
  } finally {
    await held.release();
  }
}

async function fetchAll(spec: ModelSpec, folder: string, options: FetchOptions): Promise<readonly FileResult[]> {
  const { modelsDir, onEvent } = options;
  const results: FileResult[] = [];
  const files: Required<ModelFile>[] = [];
  const before = readDescription(modelsDir, spec.id);
  const kept = new Map(before?.revision === spec.revision ? before.files.map((file) => [file.path, file]) : []);
  for (const file of spec.files) {
    const startedAt = performance.now();
    const outcome = await fetchOne({ ...kept.get(file.path), ...file }, folder, spec, options);
    const ms = Math.round(performance.now() - startedAt);
    const result: FileResult =
      outcome instanceof ChestError
        ? { file: file.path, status: "failed", bytes: 0, ms, error: outcome }
        : { file: file.path, status: outcome.isCached ? "cached" : "downloaded", bytes: outcome.bytes, ms };
    results.push(result);
    onEvent?.({ kind: "done", result });
    if (outcome instanceof ChestError) return results;
    files.push({ path: file.path, bytes: outcome.bytes, sha256: outcome.sha256 });
  }
  try {
    await writeDescription(modelsDir, spec, files);
  } catch (error) {
    throw diskError(error, descriptionFile(modelsDir, spec.id)) ?? error;
  }
  return results;
}

interface Had {
  readonly isCached: boolean;
  readonly bytes: number;
  readonly sha256: string;
}

async function fetchOne(
  file: ModelFile,
  folder: string,
  spec: ModelSpec,
  options: FetchOptions,
): Promise<Had | ChestError> {
  const { endpoint, get, signal, isForced, silenceMs = SILENCE_MS, waitMs = WAIT_MS, onEvent } = options;
  const target = join(folder, file.path);
  const had = isForced ? undefined : await cached(target, file, options);
  if (had) return had;
  try {
    await assertRoom(folder, file);
    const url = new URL(`${endpoint.replace(/(?<!\/)\/+$/, "")}/${spec.id}/resolve/${spec.revision}/${file.path}`);
    const onProgress = (received: number, total: number | undefined) =>
      onEvent?.({ kind: "progress", file: file.path, received, total });
    return { isCached: false, ...(await fetchFile(url, target, file, { get, signal, silenceMs, waitMs, onProgress })) };
  } catch (error) {
    if (error instanceof ChestError) return error;
    throw error;
  }
}

/** An existing file that is complete: judged by its size, or by its checksum if that is unknown or to be verified. */
async function cached(
  target: string,
  { bytes, sha256 }: ModelFile,
  { isVerifying }: FetchOptions,
): Promise<Had | undefined> {
  const size = await stat(target).then(
    (found) => found.size,
    () => 0, // Not there.
  );
  if (size === 0 || (bytes !== undefined && size !== bytes)) return undefined;
  if (!isVerifying && sha256 !== undefined) return { isCached: true, bytes: size, sha256 };
  const found = await digestsOf(target);
  if (sha256 !== undefined && found.sha256 !== sha256) return undefined;
  return { isCached: true, bytes: size, sha256: found.sha256 };
}

/** Takes away what no run can use: empty files, and part files that are not to be gone on with. */
async function purge(folder: string, { files }: ModelSpec, { isForced }: FetchOptions): Promise<void> {
  const parts = new Set(isForced ? [] : files.map(({ path }) => join(folder, `${path}.part`)));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name === ".lock") continue;
    const isLeftover = /\.(part|tmp)$/.test(entry.name) && !parts.has(path);
    if (isLeftover || (await stat(path)).size === 0) await rm(path, { force: true });
  }
}

async function whenFree(path: string, { lock, signal, onEvent }: FetchOptions) {
  for (let isFirst = true; ; isFirst = false) {
    const held = await lock(path);
    if (held) return held;
    if (isFirst) onEvent?.({ kind: "waiting" });
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function assertRoom(folder: string, { path, bytes = 0 }: ModelFile): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const begun = await stat(join(folder, `${path}.part`)).then(
    ({ size }) => size,
    () => 0, // Nothing begun.
  );
  const free = bavail * bsize;
  if (free >= bytes - begun) return;
  const mb = (n: number) => `${Math.ceil(n / 1e6)} MB`;
  throw new ChestError(
    "STORAGE_FULL",
    `\`${path}\` needs ${mb(bytes - begun)}, and ${mb(free)} are free at \`${folder}\``,
    {
      hint: "make room, or put the models elsewhere with CHEST_MODELS_DIR",
    },
  );
}

async function writeDescription(modelsDir: string, spec: ModelSpec, files: Description["files"]): Promise<void> {
  const place = descriptionFile(modelsDir, spec.id);
  await mkdir(dirname(place), { recursive: true });
  await writeFile(`${place}.tmp`, `${JSON.stringify(describe(spec, files), undefined, 2)}\n`);
  await rename(`${place}.tmp`, place);
}
