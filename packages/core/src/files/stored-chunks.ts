import { z } from "zod";
import { parsedJson } from "../text/json.ts";
import type { Chunk } from "./chunk.ts";

const line = z.int().positive();
const stored = z.array(
  z.object({ id: z.string(), kind: z.string(), start_line: line, end_line: line, hash: z.string() }),
);

export const writeChunks = (chunks: readonly Chunk[]): string =>
  JSON.stringify(
    chunks.map(({ startLine, endLine, ...rest }) => ({ ...rest, start_line: startLine, end_line: endLine })),
  );

/** Parses stored chunks; undefined for a form that `writeChunks` did not write: the file is then treated as unknown. */
export function readChunks(text: string): Chunk[] | undefined {
  const { data } = stored.safeParse(parsedJson(text));
  const isWhole = data?.every(
    ({ start_line, end_line }, at) => start_line === (data[at - 1]?.end_line ?? 0) + 1 && end_line >= start_line,
  );
  if (!isWhole) return undefined;
  return data?.map(({ start_line: startLine, end_line: endLine, ...rest }) => ({ ...rest, startLine, endLine }));
}
