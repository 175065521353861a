import { onOneLine } from "../terminal/strip-control-characters.ts";
import { memoryLines, wrapped } from "./memory.ts";

/** History of a file, as returned by its tool. */
export interface ShownFile {
  readonly count: number;
  readonly note?: string;
  readonly paths_matched?: readonly { readonly file_path: string; readonly edits: number }[];
  readonly total_paths?: number;
  readonly daily_breakdown?: readonly { readonly day: string; readonly operation: string; readonly edits: number }[];
  readonly user_intents?: readonly { readonly when: string; readonly occurrences: number; readonly intent: string }[];
  readonly linked_memories?: readonly {
    readonly id: number;
    readonly entity: string;
    readonly layer: string;
    readonly preview: string;
  }[];
}

/** Renders the files, when and why they were edited, and the memories about them. */
export function fileLines(found: ShownFile): string[] {
  const { note, paths_matched: paths = [], total_paths = paths.length, daily_breakdown: days = [] } = found;
  const { user_intents: intents = [], linked_memories: memories = [] } = found;
  const columns = process.stdout.columns ?? 80;
  return [
    ...(note ? [note] : []),
    ...paths.map(({ file_path, edits }) => `${onOneLine(file_path)}  ${times(edits)}`),
    ...(total_paths > paths.length ? [`${total_paths - paths.length} more files`] : []),
    ...days.map(({ day, operation, edits }) => `  ${day}  ${operation}  ${edits}`),
    ...intents.flatMap(({ when, occurrences, intent }) => [
      "",
      `${when.slice(0, 10)}  ${times(occurrences)}, asked for:`,
      ...wrapped(intent, columns),
    ]),
    ...(memories.length > 0 ? ["", "remembered about it:"] : []),
    ...memories.flatMap(({ preview, ...memory }) => [...memoryLines({ ...memory, content: preview }, columns), ""]),
  ];
}

const times = (edits: number): string => `${edits} ${edits === 1 ? "edit" : "edits"}`;
