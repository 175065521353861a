import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Backend, CallOptions } from "@chest/client";
import { captureTranscript, linesOf } from "@chest/core/transcript";
import { aCall, aCaller, testEngine, testPorts, transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { remoteSink } from "./take-there.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-take-there-"));
  path = join(dir, "session.jsonl");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const { user, says, edits } = transcriptOf("one");
const LINES = [
  user("Make the login tokens expire after fifteen minutes, please."),
  says("The check compares milliseconds with seconds."),
  edits("/home/dev/acme/src/token.ts", "const password = 7"),
].map((line) => `${line}\n`);

const linesIn = (text: string) => [...linesOf(Buffer.from(text))];

/** Starts a backend that records the lines sent to it. */
async function aBackend() {
  const caller = aCaller({});
  const store = (await testEngine()).as(aCall({ caller }));
  const { clock } = testPorts();
  const sent: ReturnType<typeof linesIn>[] = [];
  const backend = {
    url: "http://backend.test",
    close: () => undefined,
    async call(_: unknown, { query, text = "", headers }: CallOptions = {}) {
      const lines = linesIn(text);
      sent.push(lines);
      const options = { fromLine: Number(query?.from_line), session: headers?.["x-session-id"] };
      const report = await captureTranscript(() => lines, options, { store, clock }, caller);
      return { ok: true, lines: report?.tally.lines, memories: report?.memories, editsInserted: report?.edits };
    },
  };
  return { sink: remoteSink(backend as Backend, "laptop", { isDry: false, keepOld: undefined }), sent };
}
const taking = () => ({ path, bytes: 0, changedAt: 0, session: "one", project: "host/org/apple" });

it("asks for the backend's line number, and sends from there: the last line again, which shows a rewritten file", async () => {
  const { sink, sent } = await aBackend();
  writeFileSync(path, LINES.slice(0, 2).join(""));
  expect(await sink.take(taking(), () => undefined)).toMatchObject({ lines: 2, edits: 0 });
  appendFileSync(path, LINES[2] ?? "");
  expect(await sink.take(taking(), () => undefined)).toMatchObject({ lines: 1, edits: 1 });
  expect(sent.map((lines) => lines.length)).toEqual([0, 2, 0, 2]);
});

it("sends all of a file that was rewritten", async () => {
  const { sink, sent } = await aBackend();
  writeFileSync(path, LINES.join(""));
  await sink.take(taking(), () => undefined);
  writeFileSync(path, ["{}\n", ...LINES].join(""));
  expect(await sink.take(taking(), () => undefined)).toMatchObject({ lines: 4, edits: 0, memories: { inserted: 0 } });
  expect(sent.map((lines) => lines.length)).toEqual([0, 3, 0, 2, 4]);
});

it("sends no file's text", async () => {
  const { sink, sent } = await aBackend();
  writeFileSync(path, LINES.join(""));
  await sink.take(taking(), () => undefined);
  expect(sent.flat().join("\n")).toContain("login tokens");
  expect(sent.flat().join("\n")).not.toContain("password");
});
