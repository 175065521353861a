import { redact } from "../redaction/redact.ts";
import { readEntry, type Turn } from "./entry.ts";

/**
 * A line with only what the extraction reads, redacted: what travels. What a tool gave or wrote, thoughts and images stay
 * where they are; a turn becomes a line that reads as the same turn. A line that holds none keeps its place in the count,
 * and says nothing else.
 */
export function slimLine(line: string): string {
  const entry = readEntry(line);
  if (entry.kind === "other") return '{"type":"system"}';
  if (entry.kind === "skipped") return "null";
  return JSON.stringify(slimTurn(entry));
}

function slimTurn({ role, uuid, session, cwd, branch, at, isAside, text, uses, results }: Turn) {
  const content = [
    ...(text === "" ? [] : [{ type: "text", text: redact(text) }]),
    ...uses.map(slimUse),
    ...results.map(({ useId, isError, failure, memory }) => ({
      type: "tool_result",
      tool_use_id: useId,
      ...(isError ? { is_error: true, content: redact(failure) } : {}),
      ...(memory === undefined ? {} : { content: `stored [memory:${memory}]` }),
    })),
  ];
  return {
    type: role,
    uuid,
    sessionId: session,
    cwd: cwd && redact(cwd),
    gitBranch: branch && redact(branch),
    timestamp: at?.toISOString(),
    ...(isAside ? { isMeta: true } : {}),
    // An aside says nothing that is kept.
    message: { role, content: isAside ? content.filter(({ type }) => type !== "text") : content },
  };
}

const NAMES = {
  read: "Read",
  edit: "Edit",
  write: "Write",
  bash: "Bash",
  remember: "mcp__chest-memory__chest_remember",
} as const;

const slimUse = ({ id, operation, path, command }: Turn["uses"][number]) => ({
  type: "tool_use",
  id,
  name: NAMES[operation],
  input: {
    ...(path === undefined ? {} : { file_path: redact(path) }),
    ...(command === undefined ? {} : { command: redact(command) }),
  },
});
