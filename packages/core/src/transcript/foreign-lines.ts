import type { FileOperation } from "./entry.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One line of another agent's transcript, in the parts that a turn is made of. Nothing in it is cut or redacted yet. */
export interface ForeignLine {
  readonly role: "user" | "assistant";
  readonly uuid?: unknown;
  readonly session?: unknown;
  readonly cwd?: unknown;
  readonly branch?: unknown;
  readonly at?: unknown;
  /** Not of the conversation itself: told by the host. */
  readonly isAside?: boolean;
  readonly text?: string;
  readonly uses?: readonly ForeignUse[];
  readonly results?: readonly ForeignResult[];
}

export interface ForeignUse {
  readonly id: unknown;
  readonly operation: FileOperation | "remember";
  readonly path?: unknown;
  readonly command?: unknown;
}

export interface ForeignResult {
  readonly id: unknown;
  readonly isError: boolean;
  readonly output: string;
}

/** Reads a line as the agents write theirs; `other` is one of a known form without a turn, undefined one of no form known here. */
export function readForeignLine(value: Fields): ForeignLine | "other" | undefined {
  return readCodex(value) ?? readCopilot(value) ?? readGemini(value);
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const objectsIn = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

const REQUEST = "\n## My request for Codex:";

/** The request alone, which Codex puts below the open files of an editor or the files that are attached. */
function requestIn(text: string): string {
  const at = /^\s{0,20}# (?:Context from my IDE|Files mentioned by the user)/.test(text) ? text.indexOf(REQUEST) : -1;
  return at < 0 ? text : text.slice(at + REQUEST.length).trim();
}

/** A rollout of Codex: `{ timestamp, type, payload }`. */
function readCodex({ type, payload, timestamp: at }: Fields): ForeignLine | "other" | undefined {
  if (typeof type !== "string" || !isObject(payload)) return undefined;
  if (type === "session_meta") {
    const branch = isObject(payload.git) ? payload.git.branch : undefined;
    return { role: "user", isAside: true, session: payload.id, cwd: payload.cwd, branch, at };
  }
  if (type !== "response_item") return "other";
  const { role, call_id: id } = payload;
  switch (payload.type) {
    case "message": {
      if (role !== "user" && role !== "assistant") return "other";
      const text = textIn(payload.content);
      // Surroundings and instructions come as if the person had said them.
      const isAside = role === "user" && /^\s{0,20}(?:<[a-z_]+>|# AGENTS\.md)/.test(text);
      return { role, uuid: payload.id, at, isAside, text: role === "user" ? requestIn(text) : text };
    }
    case "function_call":
    case "custom_tool_call": {
      const input = payload.type === "function_call" ? parsed(payload.arguments) : { input: payload.input };
      return { role: "assistant", at, uses: usesOf(id, stringOf(payload.name), input) };
    }
    case "function_call_output":
    case "custom_tool_call_output":
      return { role: "user", at, results: [codexResult(id, payload.output)] };
    default:
      return "other";
  }
}

function codexResult(id: unknown, input: unknown): ForeignResult {
  const whole = isObject(input) ? input : parsed(input);
  const { exit_code: code } = isObject(whole.metadata) ? whole.metadata : {};
  const output = stringOf(whole.output) || stringOf(whole.content) || stringOf(input);
  const exit = typeof code === "number" ? code : exitCodeIn(output, /^Process exited with code (\d{1,3})$/m);
  return { id, isError: exit !== undefined && exit !== 0, output: afterMark(output, "\nOutput:\n") };
}

/** An event of GitHub Copilot CLI: `{ type, data, id, timestamp }`. */
function readCopilot({ type, data, id: uuid, timestamp: at }: Fields): ForeignLine | "other" | undefined {
  if (typeof type !== "string" || !isObject(data)) return undefined;
  switch (type) {
    case "session.start":
    case "session.resume": {
      const { cwd, branch } = isObject(data.context) ? data.context : {};
      return { role: "user", isAside: true, session: data.sessionId, cwd, branch, at };
    }
    case "user.message":
      return { role: "user", uuid, at, text: stringOf(data.content) };
    case "assistant.message": {
      const uses = objectsIn(data.toolRequests).flatMap(({ toolCallId, name, arguments: given }) =>
        usesOf(toolCallId, stringOf(name), isObject(given) ? given : parsed(given)),
      );
      return { role: "assistant", uuid, at, text: stringOf(data.content), uses };
    }
    case "tool.execution_complete": {
      const { exitCode } = isObject(data.shellExecution) ? data.shellExecution : {};
      const isError = data.success === false || (typeof exitCode === "number" && exitCode !== 0);
      const { content } = isObject(data.result)
        ? data.result
        : isObject(data.error)
          ? { content: data.error.message }
          : {};
      // Hooks append their context to the output of a tool.
      const [output = ""] = stringOf(content).split(/\n\nTool "|\n<shellId: /, 1);
      return { role: "user", at, results: [{ id: data.toolCallId, isError, output }] };
    }
    default:
      return "other";
  }
}

/** A record of Gemini CLI: the session, a change of it (`$set`), or a message of `user` or `gemini`. */
function readGemini(value: Fields): ForeignLine | "other" | undefined {
  const { type, content, id: uuid, timestamp: at } = value;
  if ("$set" in value || "$rewindTo" in value) return "other";
  if (type === undefined && typeof value.projectHash === "string") {
    return { role: "user", isAside: true, session: value.sessionId, at: value.startTime };
  }
  if (type === "gemini") {
    const calls = objectsIn(value.toolCalls);
    if (calls.length === 0) return { role: "assistant", uuid, at, text: textIn(content) };
    // This message was already written without its calls, so only the calls are new.
    const uses = calls.flatMap(({ id, name, args }) => usesOf(id, stringOf(name), isObject(args) ? args : {}));
    return { role: "assistant", at, uses };
  }
  if (type !== "user" || value.message !== undefined || content === undefined) return undefined;
  const results = objectsIn(content).flatMap(({ functionResponse }) => {
    if (!isObject(functionResponse)) return [];
    const { output, error } = isObject(functionResponse.response) ? functionResponse.response : {};
    const text = withoutHookContext(stringOf(error) || stringOf(output));
    const exit = exitCodeIn(text, /^Exit Code: (\d{1,3})$/m);
    return [
      {
        id: functionResponse.id,
        isError: error !== undefined || (exit ?? 0) !== 0,
        output: text.replace(GEMINI_FRAME, ""),
      },
    ];
  });
  if (results.length > 0) return { role: "user", at, results };
  return { role: "user", uuid, at, text: withoutHookContext(textIn(content)).trim() };
}

/** The frame that Gemini CLI puts before a command's output. */
const GEMINI_FRAME = /^(?:<untrusted_context>\n)?Output: /;

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .flatMap(({ text }) => (typeof text === "string" ? text : []))
    .join("\n");
}

const OPEN = "<hook_context>";
const CLOSE = "</hook_context>";

/** Removes the context that hooks added between marks to the agent's prompts and results. */
function withoutHookContext(text: string): string {
  let rest = text;
  for (let from = rest.indexOf(OPEN); from >= 0; from = rest.indexOf(OPEN)) {
    const to = rest.indexOf(CLOSE, from);
    rest = rest.slice(0, from) + (to < 0 ? "" : rest.slice(to + CLOSE.length));
  }
  return rest;
}

const exitCodeIn = (output: string, pattern: RegExp): number | undefined => {
  const [, code] = pattern.exec(output.slice(0, 2000)) ?? pattern.exec(output.slice(-2000)) ?? [];
  return code === undefined ? undefined : Number(code);
};

function afterMark(text: string, mark: string): string {
  const at = text.slice(0, 1000).indexOf(mark);
  return at < 0 ? text : text.slice(at + mark.length);
}

const COMMANDS = new Set([
  "exec_command",
  "shell",
  "shell_command",
  "local_shell",
  "container.exec",
  "bash",
  "run_shell_command",
  "powershell",
]);
const FILES: ReadonlyMap<string, FileOperation> = new Map([
  ["read_file", "read"],
  ["view", "read"],
  ["replace", "edit"],
  ["edit", "edit"],
  ["str_replace", "edit"],
  ["write_file", "write"],
  ["create", "write"],
]);

/** Uses of a tool, by the names that the agents give their tools. */
function usesOf(id: unknown, name: string, input: Fields): ForeignUse[] {
  if (/(?:^|_)chest_remember$/.test(name)) return [{ id, operation: "remember" }];
  if (COMMANDS.has(name)) return [{ id, operation: "bash", command: commandIn(input) }];
  if (name === "apply_patch")
    return patchedFiles(stringOf(input.input ?? input.patch)).map((path) => ({ id, operation: "edit", path }));
  const operation = FILES.get(name);
  return operation ? [{ id, operation, path: input.file_path ?? input.path ?? input.absolute_path }] : [];
}

/** A command as one line; `["bash", "-lc", "npm test"]` is its last word. */
function commandIn({ cmd, command }: Fields): string {
  const given = cmd ?? command;
  if (!Array.isArray(given)) return stringOf(given);
  const words = given.filter((word) => typeof word === "string");
  return words.length === 3 && /^-l?c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
}

const MAX_PATCH = 200_000;
const MOST_FILES = 50;

/** Files that a patch adds, updates or deletes. */
const patchedFiles = (patch: string): string[] =>
  [...patch.slice(0, MAX_PATCH).matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.{1,1000})$/gm)]
    .slice(0, MOST_FILES)
    .map(([, path = ""]) => path.trim());

function parsed(text: unknown): Fields {
  if (typeof text !== "string" || !text.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
