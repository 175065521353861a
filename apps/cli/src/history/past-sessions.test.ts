import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Env } from "@chest/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allSessions, pastSessions } from "./past-sessions.ts";

let dir: string;
let env: Env;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-past-"));
  const homes = { CODEX_HOME: "codex", COPILOT_HOME: "copilot", GEMINI_CLI_HOME: "gemini", XDG_DATA_HOME: "share" };
  env = { CHEST_DATA_DIR: join(dir, "data"), CLAUDE_CONFIG_DIR: join(dir, "claude") };
  for (const [name, folder] of Object.entries(homes)) env = { ...env, [name]: join(dir, folder) };
});
afterEach(() => rmSync(dir, { recursive: true }));

const NOW = Date.UTC(2026, 10, 28);
const daysAgo = (days: number) => NOW - days * 86_400_000;

function transcript(path: string, changedAt: number): void {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{}\n");
  utimesSync(file, changedAt / 1000, changedAt / 1000);
}

function openCode(sessions: Readonly<Record<string, number>>): void {
  mkdirSync(join(dir, "share/opencode"), { recursive: true });
  const store = new DatabaseSync(join(dir, "share/opencode/opencode.db"));
  store.exec(`CREATE TABLE session (id TEXT, directory TEXT, parent_id TEXT, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)`);
  const data = JSON.stringify({ type: "text", text: "Always run the linter." });
  for (const [id, updatedAt] of Object.entries(sessions)) {
    store.prepare("INSERT INTO session VALUES (?, '/home/dev/acme', NULL, ?)").run(id, updatedAt);
    store.prepare(`INSERT INTO message VALUES (?, ?, ?, '{"role":"user"}')`).run(`m-${id}`, id, updatedAt);
    store.prepare("INSERT INTO part VALUES (?, ?, ?, ?)").run(`p-${id}`, `m-${id}`, id, data);
  }
  store.exec("INSERT INTO session VALUES ('empty', '/home/dev/acme', NULL, 0)");
  store.close();
}

describe("the past sessions of a machine", () => {
  it("are counted with those in OpenCode's database, once where the hooks wrote them down as well", async () => {
    expect(await pastSessions(env, NOW)).toBeUndefined();
    openCode({ ses_1: daysAgo(35), ses_2: daysAgo(2) });
    expect(await pastSessions(env, NOW)).toBe("2 sessions of 5 weeks; reads them in some seconds");
    transcript("claude/projects/acme/s1.jsonl", daysAgo(8));
    transcript("data/hooks/transcripts/opencode/ses_2.jsonl", daysAgo(2));
    expect(await pastSessions(env, NOW)).toBe("3 sessions of 5 weeks; reads them in some seconds");
  });

  it("come the oldest first, whatever they were recorded in", async () => {
    openCode({ ses_1: daysAgo(9), ses_3: daysAgo(3) });
    transcript("codex/sessions/2.jsonl", daysAgo(5));
    transcript("claude/projects/acme/4.jsonl", daysAgo(1));
    mkdirSync(join(dir, "out"));
    const files = (await allSessions(env, join(dir, "out"))) ?? [];
    expect(files.map(({ path }) => basename(path))).toEqual(["ses_1.jsonl", "2.jsonl", "ses_3.jsonl", "4.jsonl"]);
  });

  it("are none where no agent records any", async () => {
    expect(await allSessions(env, join(dir, "out"))).toBeUndefined();
  });
});
