import { isAbsolute, relative, resolve, sep } from "node:path";
import type { EventHandler } from "../hook-event.ts";
import { textOf } from "../process/hook-input.ts";

const OPERATIONS: ReadonlyMap<string, "read" | "edit"> = new Map([
  ["Read", "read"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["Write", "edit"],
  ["NotebookEdit", "edit"],
]);
const OUTSIDE_PARTS = 3;

export const preTool: EventHandler = async ({ input, session, memory, project, folder, journal, say }) => {
  const operation = OPERATIONS.get(input.tool ?? "");
  const named = textOf(input.toolInput.file_path) ?? textOf(input.toolInput.notebook_path);
  if (!operation || named === undefined) return "skipped";
  const path = inProject(named, input.cwd, folder);
  const { shown, files, language = "en" } = journal.read();
  if (files.has(path)) return "known";
  const place = await memory.open("read", project);
  if (!place) return "no_store";
  const asked = { session_id: session, path, operation, language, shown: [...shown] };
  const { context, ids } = await place.ask("pre-edit", asked);
  journal.note({ file: path });
  if (context === undefined) return "nothing";
  say(context);
  journal.note({ shown: ids });
  return `shown=${ids.length}`;
};

/** Path relative to the project; for a file outside, its last parts. */
function inProject(path: string, cwd: string, folder: string): string {
  const way = relative(folder, resolve(cwd, path));
  const isInside = way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  const known = isInside ? way : path.split(/[/\\]/).filter(Boolean).slice(-OUTSIDE_PARTS).join("/");
  return known.replaceAll("\\", "/").slice(-1000);
}
