import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readEntry } from "@chest/core/transcript";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCodeSessions } from "./opencode-sessions.ts";

let dir: string;
let store: DatabaseSync;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-opencode-"));
  mkdirSync(join(dir, "opencode"));
  store = new DatabaseSync(join(dir, "opencode/opencode.db"));
  store.exec(`CREATE TABLE session (id TEXT, directory TEXT, parent_id TEXT, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)`);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const at = Date.UTC(2026, 10, 27);
function session(id: string, parent: string | null = null): void {
  store.prepare("INSERT INTO session VALUES (?, ?, ?, ?)").run(id, "/home/dev/acme", parent, at);
}
let count = 0;
function message(session: string, role: string, parts: readonly object[], time: object = { completed: at }): void {
  count += 1;
  store
    .prepare("INSERT INTO message VALUES (?, ?, ?, ?)")
    .run(`m${count}`, session, at + count, JSON.stringify({ role, time }));
  for (const [nth, part] of parts.entries())
    store
      .prepare("INSERT INTO part VALUES (?, ?, ?, ?)")
      .run(`p${count}-${nth}`, `m${count}`, session, JSON.stringify(part));
}
const read = async (written = join(dir, "written")) => {
  const files = await openCodeSessions({ XDG_DATA_HOME: dir }, written, join(dir, "out"));
  return files.map(({ path }) => readFileSync(path, "utf8").trimEnd().split("\n").map(readEntry));
};

it("writes words, commands and failures of a session, and leaves out what hooks added", async () => {
  session("ses_1");
  message("ses_1", "user", [
    { type: "text", text: '"Always run the linter."' },
    { type: "text", text: "told", synthetic: true },
  ]);
  const state = { status: "completed", input: { command: "npm test" }, output: "TypeError: x", metadata: { exit: 1 } };
  message("ses_1", "assistant", [{ type: "step-start" }, { type: "tool", tool: "bash", callID: "c", state }]);
  message("ses_1", "assistant", [{ type: "text", text: "Half of a" }], {});
  expect(await read()).toMatchObject([
    [
      { role: "user", text: "Always run the linter.", session: "ses_1", cwd: "/home/dev/acme" },
      { role: "assistant", uses: [{ operation: "bash", command: "npm test" }] },
      { role: "user", results: [{ isError: true, failure: "TypeError: x" }] },
    ],
  ]);
});

it("leaves out subagents, sessions that hooks recorded, and a database of another form", async () => {
  session("ses_1");
  session("ses_2", "ses_1");
  session("ses_3");
  for (const id of ["ses_1", "ses_2", "ses_3"]) message(id, "user", [{ type: "text", text: id }]);
  mkdirSync(join(dir, "written"));
  writeFileSync(join(dir, "written/ses_3.jsonl"), "");
  expect(await read()).toMatchObject([[{ text: "ses_1" }]]);
  store.exec("DROP TABLE part");
  expect(await read()).toEqual([]);
});
