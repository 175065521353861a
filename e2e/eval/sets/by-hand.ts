import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export const LANGUAGES = ["en", "ja", "zh", "ko"] as const;
const DATA = join(import.meta.dirname, "../data");

/** Reads a file of `data/` and validates each line. */
export function read<T>(name: string, schema: z.ZodType<T>): T[] {
  const lines = readFileSync(join(DATA, `${name}.ndjson`), "utf8").split("\n");
  return lines.filter(Boolean).map((line, at) => {
    const parsed = schema.safeParse(JSON.parse(line));
    if (!parsed.success) throw new Error(`${name}.ndjson:${at + 1}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}
