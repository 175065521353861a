import { wellFormed, withUnixLines } from "../text/characters.ts";
import { isNestedDeeper, parsedJson } from "../text/json.ts";
import { type ForeignLine, readForeignLine } from "./foreign-lines.ts";
import { isHostContext, withoutHostContext } from "./noise.ts";

/** Longest line that is read; longer ones are skipped and counted. */
export const MAX_LINE_CHARS = 4 * 1024 * 1024;
/** Most characters of a text that are read: what is worth storing comes at its beginning. */
const MAX_TEXT = 20_000;
/** Deeper than any host writes; a parser takes a second for a million levels. */
const MAX_DEPTH = 256;
const MAX_ID = 128;
const MAX_PATH = 1000;
const MAX_COMMAND = 500;
const MAX_FAILURE = 2000;
const MAX_PARTS = 200;

export type SkipReason = "not_json" | "not_an_object" | "too_deep" | "too_long" | "unknown_type";

/** Content of a transcript line. `other` is a line of a known kind that holds no turn. */
export type Entry = Turn | { readonly kind: "other" } | { readonly kind: "skipped"; readonly reason: SkipReason };

export type FileOperation = "read" | "edit" | "write" | "bash";

/** A tool's use that touches a file, runs a command or saves a memory. */
export interface ToolUse {
  readonly id: string;
  readonly operation: FileOperation | "remember";
  readonly path: string | undefined;
  readonly command: string | undefined;
}

export interface ToolResult {
  readonly useId: string;
  readonly isError: boolean;
  /** Beginning and end of a failed tool's output; empty after a success. */
  readonly failure: string;
  /** Id of the memory that an answer names first. */
  readonly memory: number | undefined;
}

/** One turn of a person or an agent. Nothing in it is redacted yet. */
export interface Turn {
  readonly kind: "turn";
  readonly role: "user" | "assistant";
  readonly uuid: string | undefined;
  readonly session: string | undefined;
  readonly cwd: string | undefined;
  readonly branch: string | undefined;
  /** Undefined when the time stamp is missing or none. */
  readonly at: Date | undefined;
  /** Not a turn of the conversation itself: told by the host, of a subagent's, or the summary after a compaction. */
  readonly isAside: boolean;
  readonly text: string;
  readonly uses: readonly ToolUse[];
  readonly results: readonly ToolResult[];
}

const SESSION_ID = /^[A-Za-z0-9._:-]{1,128}$/;
/** Ids are compared whole; one of other characters names no session. */
export const isTranscriptSession = (id: string): boolean => SESSION_ID.test(id);

// Types of the lines that hosts write beside the turns.
const OTHER_TYPES = new Set([
  "summary",
  "system",
  "file-history-snapshot",
  "queue-operation",
  "progress",
  "attachment",
  "result",
  "last-prompt",
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "agent-setting",
  "permission-mode",
  "pr-link",
  "mode",
  "tag",
  "worktree-state",
  "saved_hook_context",
  "started",
  "speculation-accept",
]);

/** Reads one line by itself, so that a broken one costs no other. */
export function readEntry(line: string): Entry {
  if (line.length > MAX_LINE_CHARS) return skipped("too_long");
  if (isNestedDeeper(line, MAX_DEPTH)) return skipped("too_deep");
  const value = parsedJson(line);
  if (value === undefined) return skipped("not_json");
  if (!isObject(value)) return skipped("not_an_object");
  const { type } = value;
  if ((type === "user" || type === "assistant") && isObject(value.message)) return turnOf(type, value);
  if (typeof type === "string" && OTHER_TYPES.has(type)) return { kind: "other" };
  const foreign = readForeignLine(value);
  if (foreign === "other") return { kind: "other" };
  if (foreign) return foreignTurn(foreign);
  return type === "user" || type === "assistant" ? turnOf(type, value) : skipped("unknown_type");
}

/** A turn of another agent's transcript, under the same limits. */
function foreignTurn({ role, isAside = false, text: said = "", uses = [], results = [], ...line }: ForeignLine): Turn {
  return {
    kind: "turn",
    role,
    uuid: idOf(line.uuid),
    session: sessionOf(line.session),
    cwd: text(line.cwd, MAX_PATH),
    branch: text(line.branch, 200),
    at: timeOf(line.at),
    isAside,
    text: role === "user" ? withoutHostContext(text(said, MAX_TEXT) ?? "") : (text(said, MAX_TEXT) ?? ""),
    uses: uses.slice(0, MAX_PARTS).map(({ id, operation, path, command }) => {
      const typed = text(command, MAX_COMMAND);
      return {
        id: idOf(id) ?? "",
        operation,
        path: text(path, MAX_PATH) ?? (typed && firstPath(typed)),
        command: typed,
      };
    }),
    results: results.slice(0, MAX_PARTS).map(({ id, isError, output }) => ({
      useId: idOf(id) ?? "",
      isError,
      failure: isError ? endsOf(output) : "",
      memory: isError ? undefined : memoryIn(output),
    })),
  };
}

const skipped = (reason: SkipReason): Entry => ({ kind: "skipped", reason });

function turnOf(role: Turn["role"], value: Fields): Turn {
  const message = isObject(value.message) ? value.message : {};
  const parts = partsOf(message.content);
  return {
    kind: "turn",
    role,
    uuid: idOf(value.uuid),
    session: sessionOf(value.sessionId),
    cwd: text(value.cwd, MAX_PATH),
    branch: text(value.gitBranch, 200),
    at: timeOf(value.timestamp),
    isAside: value.isMeta === true || value.isSidechain === true || value.isCompactSummary === true,
    text: role === "user" ? typedIn(parts) : textOf(parts),
    uses: role === "assistant" ? parts.flatMap(useOf) : [],
    results: role === "user" ? parts.flatMap(resultOf) : [],
  };
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown, most: number): string | undefined =>
  (typeof value === "string" && wellFormed(beginningOf(withUnixLines(value), most))) || undefined;

// Only compared and never shown: half of one is as good.
const idOf = (value: unknown): string | undefined =>
  (typeof value === "string" && wellFormed(value.slice(0, MAX_ID))) || undefined;

const ENDS_A_WORD = /[\s、。，！？\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** At most this many characters, and not half a word at their end: half a secret no longer looks like one. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = most;
  if (!ENDS_A_WORD.test(text[most] ?? "")) while (end > 0 && !ENDS_A_WORD.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

const FAILURE_HEAD = 700;
const BASE64_LINE = /^\s*[A-Za-z0-9+/=]{40,}\s*$/;

/**
 * The beginning of what failed, and its last lines, where many programs say what was wrong. Lines that may be the rest of
 * a key are left out: without its beginning it no longer looks like one.
 */
function endsOf(failure: string): string {
  if (failure.length <= MAX_FAILURE) return failure;
  const rest = failure.slice(FAILURE_HEAD - MAX_FAILURE);
  const from = rest.indexOf("\n") + 1;
  if (from === 0) return beginningOf(failure, MAX_FAILURE);
  const lines = rest.slice(from).split("\n");
  const key = lines.findLastIndex((line) => line.includes("-----END"));
  const end = lines.slice(key + 1).filter((line) => !BASE64_LINE.test(line));
  return `${beginningOf(failure, FAILURE_HEAD)}\n${end.join("\n")}`;
}

function sessionOf(value: unknown): string | undefined {
  return typeof value === "string" && isTranscriptSession(value) ? value : undefined;
}

// Before agents wrote transcripts, or far ahead of any clock: a time that is none.
const FIRST_YEAR = 2020;
const LAST_YEAR = 2200;

function timeOf(value: unknown): Date | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const at = new Date(value);
  const year = at.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? at : undefined;
}

/** A message's content is a text, or a list of parts. */
function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.slice(0, MAX_PARTS).filter(isObject) : [];
}

/** Text that a person typed: a part that a host wrote counts only where there is no other. */
function typedIn(parts: readonly Fields[]): string {
  const typed = parts.filter(({ text }) => typeof text !== "string" || !isHostContext(text));
  return withoutHostContext(textOf(typed.some(({ type }) => type === "text") ? typed : parts));
}

function textOf(parts: readonly Fields[]): string {
  const texts = parts.flatMap((part) => (part.type === "text" ? (text(part.text, MAX_TEXT) ?? []) : []));
  return beginningOf(texts.join("\n"), MAX_TEXT);
}

// A map, here and wherever a name comes from elsewhere: every plain object has a `constructor`.
const OPERATIONS: ReadonlyMap<string, FileOperation> = new Map([
  ["Read", "read"],
  ["Edit", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["Write", "write"],
  ["Bash", "bash"],
]);

const REMEMBER = /^mcp__.{1,100}__chest_remember$/;

const operationOf = (name: string): ToolUse["operation"] | undefined =>
  REMEMBER.test(name) ? "remember" : OPERATIONS.get(name);

function useOf({ type, id, name, input }: Fields): ToolUse[] {
  const operation = typeof name === "string" ? operationOf(name) : undefined;
  if (type !== "tool_use" || !operation || !isObject(input)) return [];
  const command = operation === "bash" ? text(input.command, MAX_COMMAND) : undefined;
  if (operation === "remember") return [{ id: idOf(id) ?? "", operation, path: undefined, command }];
  const path = text(input.file_path ?? input.notebook_path, MAX_PATH) ?? (command && firstPath(command));
  return [{ id: idOf(id) ?? "", operation, path, command }];
}

const PATH_IN_COMMAND =
  /(?:^|[\s"'=])((?:~?\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-]+\.[A-Za-z][A-Za-z0-9]{0,9})(?=$|[\s"':;,)])/;

const firstPath = (command: string): string | undefined => PATH_IN_COMMAND.exec(command)?.[1];

function resultOf(part: Fields): ToolResult[] {
  if (part.type !== "tool_result") return [];
  const isError = part.is_error === true;
  const failure = isError ? endsOf(textOf(partsOf(part.content))) : "";
  return [
    { useId: idOf(part.tool_use_id) ?? "", isError, failure, memory: isError ? undefined : memoryIn(part.content) },
  ];
}

// Hosts keep the text of an answer, or its object as JSON.
const MEMORY = /^(?:stored|updated) \[memory:(\d{1,15})\]|"memory_id":\s{0,3}(\d{1,15})\b/;
const MAX_ANSWER = 500;

function memoryIn(content: unknown): number | undefined {
  const [first] = partsOf(content);
  if (first?.type !== "text" || typeof first.text !== "string") return undefined;
  const [, told, given = told] = MEMORY.exec(first.text.slice(0, MAX_ANSWER)) ?? [];
  return given === undefined ? undefined : Number(given);
}
