import { NEVER_UNASKED } from "../continuity/briefing.ts";
import { isLesson } from "../continuity/decayed-value.ts";
import { isNamedIn } from "../files/named-in.ts";
import { partKeyOf } from "../files/path-key.ts";
import type { ToolPorts } from "../tool.ts";
import type { FileHookInput } from "./inputs.ts";
import { passiveRecall, shownBlock } from "./lessons.ts";

const BEFORE = { edit: { limit: 3, width: 240 }, read: { limit: 1, width: 120 } } as const;

/** Memories that name the file among theirs, lessons first. */
const MOST_STATED = 10;

/** The lessons on a file that is about to be read or edited. */
export async function onFile(input: FileHookInput, ports: ToolPorts) {
  // A path that ends with a slash is no file.
  const path = /[\\/]\s*$/.test(input.path) ? "" : partKeyOf(input.path);
  if (path === "") return { ok: true as const };
  const name = path.slice(path.lastIndexOf("/") + 1);
  const most = { paths: 0, days: 0, intents: 0, memories: MOST_STATED };
  const { memories } = await ports.store.files.history({ reach: "here", part: path, isPath: true, most });
  const block = await passiveRecall(
    {
      event: input,
      known: memories.filter(({ layer }) => isLesson(layer)),
      occasion: "file",
      language: input.language,
      ...BEFORE[input.operation],
      query: name,
      withoutRules: NEVER_UNASKED,
      isFit: ({ memory }) => isNamedIn(memory.content.toLowerCase(), path, name),
      // The question is only a name, so how well it matches means little.
      weigh: ({ memory, score }, factor) => factor * score.composite + (isLesson(memory.layer) ? 1 : 0),
    },
    ports,
  );
  return shownBlock(block, "file", input.session_id, ports);
}
