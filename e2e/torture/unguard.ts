import { registerHooks } from "node:module";
import type { Edit } from "./part.ts";

/** The variable that names what to take away: edits as JSON. */
const VARIABLE = "TORTURE_WITHOUT";

/** Loaded before a program of Chest, in each of its threads: its sources come with the edits made. */
const edits: readonly Edit[] = JSON.parse(process.env[VARIABLE] ?? "[]");

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const mine = edits.filter(({ file }) => url.endsWith(`/${file}`));
    if (mine.length === 0) return loaded;
    return { ...loaded, source: mine.reduce(edited, text(loaded.source)) };
  },
});

function edited(source: string, { file, find, put }: Edit): string {
  const parts = source.split(find);
  // Else the rig would praise a guard that it never took away.
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places to take the guard from, not one`);
  return parts.join(put);
}

function text(source: unknown): string {
  return typeof source === "string" ? source : Buffer.from(source as Uint8Array).toString();
}
