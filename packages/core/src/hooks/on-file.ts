import { WORK_LOG_RULES } from "../continuity/briefing.ts";
import { isLesson } from "../continuity/passive-value.ts";
import { partKeyOf } from "../files/path-key.ts";
import type { ToolPorts } from "../tool.ts";
import type { FileHookInput } from "./inputs.ts";
import { passiveRecall } from "./lessons.ts";

const BEFORE = { edit: { limit: 3, width: 240 }, read: { limit: 1, width: 120 } } as const;

/** The lessons on a file that is about to be read or edited. */
export async function onFile(asked: FileHookInput, ports: ToolPorts) {
  // What ends with a slash is no file.
  const path = /[\\/]\s*$/.test(asked.path) ? "" : partKeyOf(asked.path);
  if (path === "") return { ok: true as const };
  const name = path.slice(path.lastIndexOf("/") + 1);
  return await passiveRecall(
    {
      event: asked,
      occasion: "file",
      language: asked.language,
      ...BEFORE[asked.operation],
      query: name,
      withoutRules: WORK_LOG_RULES,
      isFit: ({ memory }) => isNamedIn(memory.content.toLowerCase(), path, name),
      // A name is all that was asked for: how well it is matched says little.
      weigh: ({ memory, score }) => score.composite + (isLesson(memory.layer) ? 1 : 0),
    },
    ports,
  );
}

// Every folder has one: by itself such a name says nothing.
const COMMON = /^(?:index|main|mod|lib|__init__|readme|package|types|utils?|constants|config|setup)\.\w+$/;

/** Does a text name this very file: by its whole path, by the end of it, or by a name that is its own. */
export function isNamedIn(content: string, path: string, name: string): boolean {
  for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
    const before = /[\w@.+/\\-]*$/.exec(content.slice(Math.max(0, at - 300), at))?.[0] ?? "";
    if (/[\w-]/.test(content[at + name.length] ?? "")) continue;
    const named = `${before}${name}`.replaceAll("\\", "/").replace(/^\.?\/+/, "");
    if (named === name ? !COMMON.test(name) : isEndOf(named, path) || isEndOf(path, named)) return true;
  }
  return false;
}

const isEndOf = (end: string, path: string): boolean => path === end || path.endsWith(`/${end}`);
