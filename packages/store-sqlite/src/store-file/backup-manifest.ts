import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parsedJson } from "@chest/core/text";
import { z } from "zod";

/** Manifest of a backup, with the counts and hash that it must match. */
export const manifest = z.object({
  format: z.literal(1),
  file: z.string(),
  made_at: z.string(),
  /** `manual`, `scheduled`, or the name of the following migration. */
  reason: z.string(),
  schema: z.string(),
  store_uid: z.string(),
  /** Name of the store's file; absent in old manifests. */
  store: z.string().optional(),
  bytes: z.int(),
  sha256: z.string(),
  rows: z.record(z.string(), z.int()),
});
export type Manifest = z.infer<typeof manifest>;

export const manifestOf = (file: string): string => `${file}.json`;

/** Manifest of a backup; undefined if there is none, or it describes another file. */
export async function readManifest(file: string): Promise<Manifest | undefined> {
  const text = await readFile(manifestOf(file), "utf8").catch(() => undefined); // A copy may have come without it.
  if (text === undefined) return undefined;
  const read = manifest.safeParse(parsedJson(text));
  return read.success && read.data.file === basename(file) ? read.data : undefined;
}

export interface BackupName {
  readonly madeAt: Date;
  readonly reason: string;
}

export const nameFor = ({ madeAt, reason }: BackupName): string =>
  `chest-${madeAt.toISOString().replace(/[:.]/g, "-")}-${reason}.db`;

const NAME = /^chest-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z-([a-z][\w-]*)\.db$/;

/** Time and reason in a backup's file name; undefined for other files. */
export function readName(file: string): BackupName | undefined {
  const [, day, hours, minutes, seconds, ms, reason] = NAME.exec(basename(file)) ?? [];
  if (!reason) return undefined;
  return { madeAt: new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`), reason };
}
