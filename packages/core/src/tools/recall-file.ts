import { z } from "zod";
import { cited, counted, dayOf, indented, noticedBlock, otherKeys } from "../answers/answer-text.ts";
import { framed, NOTICE } from "../answers/sanitize-for-prompt.ts";
import { round } from "../answers/wire.ts";
import { partKeyOf, pathKeyOf } from "../files/path-key.ts";
import type { Memory } from "../memory/memory.ts";
import type { FileHistory } from "../ports/files/file-history.ts";
import { wellFormed } from "../text/characters.ts";
import { cut } from "../text/cut.ts";
import { defineTool, invalid } from "../tool.ts";
import * as field from "./fields.ts";

const MOST_ROOTS = 64;
// Absolute paths of clients on any system.
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\])/;
const MOST = { paths: 50, days: 60, memories: 20 } as const;
const PREVIEW = 300;

const input = z.object({
  path_substring: z.string().trim().min(1).max(4096).transform(wellFormed).describe("A path or the end of one"),
  max_intents: z.int().min(1).max(50).default(10),
  scope_to_roots: z.boolean().default(false).describe("Only files in the folders open here"),
  project: field.askedProject(),
  roots: z
    .array(z.string().max(4096).regex(ABSOLUTE, { error: "is not an absolute path" }))
    .max(MOST_ROOTS)
    .optional()
    .meta(field.FROM_CLIENTS),
});

const output = z.looseObject({
  _notice: z.string().optional(),
  ok: z.literal(true),
  path_substring: z.string(),
  count: z.int(),
  note: z.string().optional(),
  match: z.enum(["segments", "substring"]).optional(),
  paths_matched: z.array(z.object({ file_path: z.string(), edits: z.int() })).optional(),
  total_paths: z.int().optional(),
  summary: z
    .looseObject({
      total_edits: z.int(),
      sessions_involved: z.int(),
      first_edit_at: z.string(),
      last_edit_at: z.string(),
    })
    .optional(),
  daily_breakdown: z.array(z.object({ day: z.string(), operation: z.string(), edits: z.int() })).optional(),
  user_intents: z.array(z.object({ when: z.string(), occurrences: z.int(), intent: z.string() })).optional(),
  linked_memories: z
    .array(
      z.looseObject({
        id: z.int(),
        entity: z.string(),
        layer: z.string(),
        importance: z.number(),
        preview: z.string(),
      }),
    )
    .optional(),
  roots_filter: z.looseObject({ applied: z.boolean() }).optional(),
});

export const recallFile = defineTool({
  name: "chest_recall_file",
  title: "chest: recall file",
  description:
    "A file's history: when it was edited, what for, and what is remembered about it, lessons first. Use before changing a file you do not know. Not for its content: read it.",
  input,
  output,
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },

  text: historyText,

  async run({ path_substring, max_intents, scope_to_roots, project, roots = [] }, { store }) {
    const part = partKeyOf(path_substring);
    if (part === "") throw invalid([{ path: "path_substring", message: "names no file or folder" }]);
    const isScoped = scope_to_roots && roots.length > 0;
    const history = await store.files.history({
      reach: field.readReach(project),
      part,
      roots: isScoped ? roots.map(pathKeyOf) : undefined,
      most: { ...MOST, intents: max_intents },
    });
    const { match, matched, files } = history;
    const filter = isScoped
      ? { applied: true, root_count: roots.length, before: matched, after: files }
      : { applied: false, reason: "no folder is open here" };
    const isAny = files > 0 || history.memories.length > 0;
    return {
      ...(isAny ? { _notice: NOTICE } : {}),
      ok: true as const,
      path_substring,
      ...(files === 0 ? withoutEdits(history) : { count: files, match, ...edited(history) }),
      ...(scope_to_roots ? { roots_filter: filter } : {}),
    };
  },
});

function edited(history: FileHistory) {
  const { files, paths, firstAt, lastAt } = history;
  return {
    paths_matched: paths.map(({ path, edits }) => ({ file_path: path, edits })),
    ...(files > paths.length ? { total_paths: files } : {}),
    summary: {
      total_edits: history.edits,
      sessions_involved: history.sessions,
      first_edit_at: firstAt?.toISOString() ?? "",
      last_edit_at: lastAt?.toISOString() ?? "",
    },
    daily_breakdown: history.days.map((day) => ({ ...day })),
    user_intents: history.intents.map(({ text, lastAt, edits }) => ({
      when: lastAt.toISOString(),
      occurrences: edits,
      intent: text,
    })),
    linked_memories: history.memories.map(linked),
  };
}

function withoutEdits({ memories, matched }: FileHistory) {
  const note = `${matched > 0 ? "no edit inside these folders" : "no edit of it"} is known; sessions are taken by hooks and by \`chest-index import\``;
  return { count: 0, note, ...(memories.length > 0 ? { linked_memories: memories.map(linked) } : {}) };
}

const linked = ({ id, entity, layer, importance, content }: Memory) => ({
  id,
  entity: entity.name,
  layer,
  importance: round(importance, 3),
  preview: cut(content, PREVIEW),
});

type History = z.output<typeof output>;

function historyText({
  _notice,
  ok,
  path_substring: part,
  count,
  note,
  match,
  paths_matched: paths = [],
  total_paths,
  summary,
  daily_breakdown: days = [],
  user_intents: intents = [],
  linked_memories: memories = [],
  roots_filter: filter,
  ...others
}: History): string {
  const known = summary
    ? `: ${counted(count, "file")}, ${counted(summary.total_edits, "edit")} in ${counted(summary.sessions_involved, "session")}, ${dayOf(summary.first_edit_at)} to ${dayOf(summary.last_edit_at)}`
    : "";
  const lines = [
    ...memories.flatMap(linkedLines),
    ...paths.map(({ file_path, edits }) => `file ${framed(file_path)}: ${counted(edits, "edit")}`),
    ...intents.map(
      ({ when, occurrences, intent }) => `asked ${dayOf(when)}, ${counted(occurrences, "edit")}: ${framed(intent)}`,
    ),
    ...days.map(({ day, operation, edits }) => `day ${day}: ${counted(edits, operation)}`),
  ];
  return [
    `${framed(part)}${known}`,
    ...(note === undefined ? [] : [note]),
    ...(match === "substring" ? ["no whole name matched: these have it somewhere in their path"] : []),
    ...noticedBlock(lines),
    ...(filter ? [filterText(filter)] : []),
    ...otherKeys(others),
  ].join("\n");
}

const linkedLines = ({ id, entity, layer, preview }: NonNullable<History["linked_memories"]>[number]): string[] => [
  `${cited([id])} ${framed(`${layer}, ${entity}`)}`,
  ...indented(preview),
];

const filterText = ({ applied, ...filter }: NonNullable<History["roots_filter"]>): string =>
  applied
    ? `only in the folders open here: ${filter.after} of ${counted(Number(filter.before), "file")}`
    : `not kept to the folders open here: ${filter.reason}`;
