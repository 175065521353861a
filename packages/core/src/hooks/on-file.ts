import { partKeyOf } from "../files/path-key.ts";
import type { ToolPorts } from "../tool.ts";
import { recallBlock } from "./block.ts";
import type { FileHookInput } from "./inputs.ts";
import { passiveRecall } from "./lessons.ts";
import { ownIds } from "./own-session.ts";

const BEFORE = { edit: { rows: 3, width: 240 }, read: { rows: 1, width: 120 } } as const;

/** The lessons on a file that is about to be read or edited. */
export async function onFile(asked: FileHookInput, ports: ToolPorts) {
  // What ends with a slash is no file.
  const path = /[\\/]\s*$/.test(asked.path) ? "" : partKeyOf(asked.path);
  if (path === "") return { ok: true as const };
  const name = path.slice(path.lastIndexOf("/") + 1);
  const { rows: limit, width } = BEFORE[asked.operation];
  const own = await ownIds(ports.store, asked.session_id);
  const rows = await passiveRecall(
    {
      query: name,
      layers: ["realize", "learning"],
      without: new Set([...asked.shown, ...own]),
      limit,
      isFit: ({ memory }) => isNamedIn(memory.content.toLowerCase(), path, name),
    },
    ports,
  );
  const now = ports.clock.now();
  const block = recallBlock({ occasion: "file", language: asked.language, rows, width, now });
  return block ? { ok: true as const, context: block.text, shown: block.ids } : { ok: true as const };
}

// Every folder has one: by itself such a name says nothing.
const COMMON = /^(?:index|main|mod|lib|__init__|readme|package|types|utils?|constants|config|setup)\.\w+$/;

/** Does a text name this very file: by its whole path, by the end of it, or by a name that is its own. */
function isNamedIn(content: string, path: string, name: string): boolean {
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
    const before = /[\w@.+/\\-]*$/.exec(content.slice(Math.max(0, at - 300), at))?.[0] ?? "";
    if (/[\w-]/.test(content[at + name.length] ?? "")) continue;
    const named = `${before}${name}`.replaceAll("\\", "/").replace(/^\.?\/+/, "");
    if (named === name ? !COMMON.test(name) : isEndOf(named, path) || isEndOf(path, named)) return true;
  }
  return false;
}

const isEndOf = (end: string, path: string): boolean => path === end || path.endsWith(`/${end}`);
