import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Digest } from "./get.ts";

/** Reads a file through once. */
export async function digestsOf(path: string): Promise<{ readonly sha256: string; readonly git: string }> {
  const { size } = await stat(path);
  const sha256 = createHash("sha256");
  const git = createHash("sha1").update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
    sha256.update(chunk);
    git.update(chunk);
  }
  return { sha256: sha256.digest("hex"), git: git.digest("hex") };
}

export const isDigest = (found: Awaited<ReturnType<typeof digestsOf>>, { kind, hex }: Digest): boolean =>
  found[kind] === hex;
