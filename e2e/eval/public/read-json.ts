import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { z } from "zod";

/** Reads a JSON file and validates it. Throws with the file and the first place that does not fit. */
export function readJson<T>(path: string, form: z.ZodType<T>): T {
  const name = basename(path);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${name} is not JSON (${(error as Error).message})`, { cause: error });
  }
  const read = form.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`${name} is not in the form in which it is published: ${issue?.path.join(".")}: ${issue?.message}`);
}
