import { expect, it } from "vitest";
import { readEntry } from "./entry.ts";
import { linesOfStream } from "./lines.ts";

const at = "2026-11-27T10:00:00.000Z";
const turn = (type: string, content: unknown) => ({
  type,
  uuid: "u1",
  sessionId: "s1",
  cwd: "C:\\Users\\dev\\acme",
  timestamp: at,
  message: { role: type, content },
});
const SAID = "Always run the linter.\nNever commit the client.\n\n- one\n- two\n";
const FAILED = "Error: Exit code 1\nfoo\nTypeError: x is not a function\n    at a.ts:1:1\n";

const LINES = [
  turn("user", SAID),
  turn("assistant", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test\nnpm run lint" } }]),
  turn("user", [{ type: "tool_result", tool_use_id: "t1", is_error: true, content: FAILED.repeat(40) }]),
  {
    timestamp: at,
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text: SAID }] },
  },
];

it.each(LINES)("reads texts of Windows as those of the other systems: %#", (value) => {
  const written = JSON.stringify(value);
  expect(readEntry(written.replaceAll("\\n", "\\r\\n"))).toEqual(readEntry(written));
});

it("reads lines that end as those of Windows", async () => {
  const written = LINES.map((value) => JSON.stringify(value));
  async function* pieces(end: string) {
    yield Buffer.from(written.map((line) => line + end).join(""));
  }
  const read = async (end: string) => {
    const entries = [];
    for await (const line of linesOfStream(pieces(end))) entries.push(readEntry(line));
    return entries;
  };
  expect(await read("\r\n")).toEqual(await read("\n"));
});
