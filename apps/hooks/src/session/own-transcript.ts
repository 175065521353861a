import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@chest/runtime/make-folder";
import { removeOlderThan } from "@chest/runtime/remove-older";
import type { HookInput } from "../process/hook-input.ts";

const KEPT_MS = 30 * 86_400_000;
const SWEPT_ONE_IN = 50;

/**
 * Writes down what an event says, for an agent whose own transcript cannot be read, and gives the file. The lines have the form
 * of Claude Code's, and hold only what is read from them, redacted.
 */
export async function writeDown(
  moment: string,
  { session, host, dataDir }: { readonly session: string; readonly host: string; readonly dataDir: string },
  input: HookInput,
): Promise<string> {
  const file = join(dataDir, "hooks", "transcripts", host, `${session.replace(/[^\w.-]/g, "_")}.jsonl`);
  const lines = linesOf(moment, input);
  if (lines.length === 0) return file;
  const { slimLine } = await import("../backend/slim-line.ts");
  const about = { sessionId: session, cwd: input.cwd, timestamp: new Date().toISOString() };
  makeFolder(dirname(file));
  const text = lines.map((line) => `${slimLine(JSON.stringify({ uuid: randomUUID(), ...about, ...line }))}\n`).join("");
  appendFileSync(file, text, { mode: 0o600 });
  if (Math.random() * SWEPT_ONE_IN < 1) removeOlderThan(dirname(file), KEPT_MS);
  return file;
}

function linesOf(moment: string, { prompt, response, tool, toolInput, error }: HookInput): object[] {
  if (moment === "user-prompt" && prompt) return [turn("user", [{ type: "text", text: prompt }])];
  if (moment === "post-tool" && tool) {
    const id = randomUUID();
    const isError = error !== undefined ? { is_error: true, content: error } : {};
    return [
      turn("assistant", [{ type: "tool_use", id, name: tool, input: toolInput }]),
      turn("user", [{ type: "tool_result", tool_use_id: id, ...isError }]),
    ];
  }
  return response && (moment === "stop" || moment === "response")
    ? [turn("assistant", [{ type: "text", text: response }])]
    : [];
}

const turn = (role: "user" | "assistant", content: readonly object[]) => ({ type: role, message: { role, content } });
