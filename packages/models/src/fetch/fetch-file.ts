import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError } from "@chest/contracts";
import type { ModelFile } from "../spec.ts";
import { digestsOf, isDigest } from "./digest.ts";
import { diskError } from "./disk-error.ts";
import { type Digest, type Download, follow, type Get, type Metadata, one } from "./get.ts";

export interface FetchFileOptions {
  readonly get: Get;
  readonly signal: AbortSignal;
  /** A download fails after this time without a byte. */
  readonly silenceMs: number;
  /** Pause before the second attempt; each further attempt waits longer. */
  readonly waitMs: number;
  onProgress(received: number, total: number | undefined): void;
}

export interface Fetched {
  readonly bytes: number;
  readonly sha256: string;
}

/** Attempts in a row that bring nothing new. */
const MAX_ATTEMPTS = 3;

/**
 * Downloads one file to a part file beside its place, which a later attempt or run goes on with, checks it, and only
 * then puts it into its place. What was there before stays until then, and for good where this fails.
 */
export async function fetchFile(
  url: URL,
  target: string,
  known: Pick<ModelFile, "bytes" | "sha256">,
  options: FetchFileOptions,
): Promise<Fetched> {
  const part = `${target}.part`;
  await mkdir(dirname(target), { recursive: true });
  let furthest = await sizeOf(part);
  for (let vain = 0; ; ) {
    try {
      const said = await download(url, part, known, options);
      const sha256 = await checked(part, known, said);
      await rename(part, target);
      return { bytes: await sizeOf(target), sha256 };
    } catch (error) {
      if (!isWorthAnotherTry(error) || options.signal.aborted) {
        if (isHopeless(error)) await rm(part, { force: true });
        throw options.signal.aborted ? options.signal.reason : readable(error, url);
      }
      // Bytes that an earlier attempt had as well are nothing new: a file that is too short would be asked for without end.
      const reached = await sizeOf(part);
      vain = reached > furthest ? 0 : vain + 1;
      furthest = Math.max(furthest, reached);
      if (vain === MAX_ATTEMPTS) throw readable(error, url);
      await sleep(options.waitMs * 2 ** vain, undefined, { signal: options.signal });
    }
  }
}

/** The rest of the part file, or all of it. */
async function download(
  url: URL,
  part: string,
  known: Pick<ModelFile, "bytes">,
  { get, signal, silenceMs, onProgress }: FetchFileOptions,
): Promise<Metadata> {
  const silence = watch(silenceMs, signal);
  try {
    const had = await sizeOf(part);
    if (known.bytes !== undefined && had === known.bytes) return { bytes: undefined, digest: undefined };
    const headers = { "accept-encoding": "identity", ...(had > 0 ? { range: `bytes=${had}-` } : {}) };
    const answer = await follow(get, url, headers, silence.signal);
    try {
      const from = await startOf(answer, had, part);
      if (known.bytes !== undefined && answer.bytes !== undefined && answer.bytes !== known.bytes)
        throw new Wrong(`${answer.bytes} bytes and not the ${known.bytes} that are pinned`);
      const total = known.bytes ?? answer.bytes;
      await append(part, from, total, answer.body, (received) => {
        silence.broken();
        onProgress(received, total);
      });
    } finally {
      answer.close();
    }
    return answer;
  } catch (error) {
    throw silence.signal.aborted && !signal.aborted ? new Silent(`${silenceMs / 1000} s without a byte`) : error;
  } finally {
    silence.stop();
  }
}

/** Returns the offset in the file at which this answer begins. */
async function startOf(answer: Download & Metadata, had: number, part: string): Promise<number> {
  if (answer.status === 200) return 0;
  if (answer.status === 206 && one(answer, "content-range")?.startsWith(`bytes ${had}-`)) return had;
  // The partial file is longer than the whole, or no part of it: the fetch begins again.
  if (answer.status === 206 || answer.status === 416) {
    await rm(part, { force: true });
    throw new Cut("it sends another part than the one that was asked for");
  }
  throw new Refused(answer.status);
}

async function append(
  part: string,
  from: number,
  total: number | undefined,
  body: AsyncIterable<Uint8Array>,
  onReceived: (bytes: number) => void,
): Promise<void> {
  const file = await open(part, from === 0 ? "w" : "r+");
  try {
    let at = from;
    for await (const chunk of body) {
      await file.write(chunk, 0, chunk.length, at);
      at += chunk.length;
      if (total !== undefined && at > total) throw new Wrong(`more than the ${total} bytes that it has`);
      onReceived(at);
    }
    if (total !== undefined && at < total) throw new Cut(`${at} of ${total} bytes`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The file's SHA-256, once it is known to be right. */
async function checked(part: string, known: Pick<ModelFile, "bytes" | "sha256">, said: Metadata): Promise<string> {
  const bytes = await sizeOf(part);
  const expected = known.bytes ?? said.bytes;
  if (bytes === 0) throw new Wrong("no bytes at all");
  if (expected !== undefined && bytes !== expected) throw new Wrong(`${bytes} bytes and not ${expected}`);
  const found = await digestsOf(part);
  const digest: Digest | undefined = known.sha256 ? { kind: "sha256", hex: known.sha256 } : said.digest;
  if (digest && !isDigest(found, digest)) throw new Wrong("another checksum than it must have");
  return found.sha256;
}

/** Aborts when nothing happens for a while, or at the given signal. */
function watch(silenceMs: number, outer: AbortSignal) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  return {
    signal: AbortSignal.any([silence.signal, outer]),
    broken: () => timer.refresh(),
    stop: () => clearTimeout(timer),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0; // Not there yet.
  }
}

class Silent extends Error {}
class Cut extends Error {}
/** Download whose bytes are not the file's; no part of it may be used. */
class Wrong extends Error {}
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

function isWorthAnotherTry(error: unknown): boolean {
  if (error instanceof Refused) return error.status === 408 || error.status === 429 || error.status >= 500;
  return !(error instanceof Wrong || error instanceof ChestError || diskError(error, ""));
}

/** A part file that no later run could go on with, or that holds the room which is missing. */
const isHopeless = (error: unknown): boolean =>
  error instanceof Wrong || error instanceof Refused || diskError(error, "")?.code === "STORAGE_FULL";

function readable(error: unknown, url: URL): ChestError {
  if (error instanceof ChestError) return error;
  const file = url.pathname.slice(1);
  const disk = diskError(error, file);
  if (disk) return disk;
  if (error instanceof Wrong) {
    return new ChestError("BACKEND_PROTOCOL_ERROR", `${url.host} sends a wrong \`${file}\`: ${error.message}`, {
      hint: "nothing of it was kept; try again, or another mirror with `--endpoint URL`",
    });
  }
  if (error instanceof Refused) return refusal(error.status, file, url);
  const reason = error instanceof Error ? error.message : String(error);
  return new ChestError("BACKEND_UNREACHABLE", `\`${file}\` does not come from ${url.host}: ${reason}`, {
    hint: "check the network and HTTPS_PROXY, or name a mirror with `--endpoint URL`; a later run resumes here",
  });
}

function refusal(status: number, file: string, { host }: URL): ChestError {
  if (status === 404 || status === 410) {
    return new ChestError("NOT_FOUND", `${host} has no \`${file}\` (${status})`, {
      hint: "check the model's id and revision; a mirror may lack it",
    });
  }
  if (status === 401 || status === 403) {
    return new ChestError("FORBIDDEN", `${host} does not offer \`${file}\` to everyone (${status})`, {
      hint: "check the model's id: the hub answers the same for one that does not exist",
    });
  }
  return new ChestError("UNAVAILABLE", `${host} answers ${status} for \`${file}\``, {
    hint: "try again later, or another mirror with `--endpoint URL`",
  });
}
