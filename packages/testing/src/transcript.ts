/** Lines of a transcript, as an agent's host writes them. */
export interface TranscriptMaker {
  user(text: string, over?: object): string;
  says(text: string, over?: object): string;
  edits(path: string, written?: string, over?: object): string;
  reads(path: string): string;
  runs(command: string, id: string, over?: object): string;
  result(id: string, failure?: string): string;
  /** The agent saves a memory with a tool. */
  remembers(id: string, content: string): string;
  /** Writes the answer of one of its tools of other servers. */
  answer(id: string, content: unknown): string;
}

/** Makes the lines of one session: each with an id and a minute of its own. */
export function transcriptOf(session: string, cwd = "/home/dev/acme"): TranscriptMaker {
  let lines = 0;
  const line = (type: "user" | "assistant", content: unknown, over: object = {}) => {
    lines += 1;
    const at = new Date(Date.UTC(2026, 10, 21, 10, lines)).toISOString();
    const uuid = `${session}-${lines}`;
    return JSON.stringify({
      type,
      uuid,
      sessionId: session,
      cwd,
      timestamp: at,
      message: { role: type, content },
      ...over,
    });
  };
  const uses = (name: string, input: object, id = "t", over?: object) =>
    line("assistant", [{ type: "tool_use", id, name, input }], over);
  return {
    user: (text, over) => line("user", text, over),
    says: (text, over) => line("assistant", [{ type: "text", text }], over),
    edits: (file_path, new_string = "changed", over) =>
      uses("Edit", { file_path, old_string: "x", new_string }, "t", over),
    reads: (file_path) => uses("Read", { file_path }),
    runs: (command, id, over) => uses("Bash", { command }, id, over),
    result: (tool_use_id, failure) =>
      line("user", [{ type: "tool_result", tool_use_id, is_error: failure !== undefined, content: failure ?? "fine" }]),
    remembers: (id, content) => uses("mcp__chest-memory__chest_remember", { content }, id),
    answer: (tool_use_id, content) => line("user", [{ type: "tool_result", tool_use_id, content }]),
  };
}
