import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startFakeBackend } from "@chest/client/testing";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured } from "./testing/captured.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-cli-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const COMMANDS = [
  "recall deploys",
  "list",
  "list --recent",
  "list --layer learning",
  "show 1",
  "inspect timeline",
  "history 1",
  "tags",
  "work",
  "verify",
  "settle 1 2",
  "remember deploys-are-blue --entity acme",
  "forget 1",
  "status",
  "stats",
  "member list",
  "token list",
  "project list",
  "audit",
  "webhooks list",
  "backup --list",
  "doctor client",
  "outbox list",
];

const A_MEMORY = { id: "x", content: 5, entity: null, tags: 7, created_at: "never", importance: "high", layer: {} };
const ODD = [
  { memories: 5, entities: "none", total: "many" },
  { memories: [A_MEMORY], entities: [{ name: 1 }], total: {}, tags: [3], items: [null], rows: { a: 1 } },
  {
    memories: [null],
    entities: [null],
    memory: A_MEMORY,
    versions: [{ changed_at: 9e99 }],
    work: [{ created_at: "x" }],
  },
  { ...A_MEMORY, created_at: 9e99, entries: [{ at: "never" }] },
];

describe("wrong types from a backend", () => {
  it.each(COMMANDS)("show no stack: %s", async (words) => {
    for (const odd of ODD) {
      const backend = await startFakeBackend({
        answer: () => odd,
        resource: () => ({ ok: true, uri: "chest://x", mime_type: "application/json", text: JSON.stringify(odd) }),
        other: () => ({ status: 200, body: odd }),
      });
      const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: "t".repeat(32) };
      const env = { ...remote, CHEST_DATA_DIR: join(dir, "data"), HOME: dir, PATH: process.env.PATH ?? "" };
      const { code, stdout, stderr } = await captured(words, env);
      await backend.stop();
      expect(stdout + stderr).not.toMatch(/^\s+at .+:\d+/m);
      expect([0, 1, 2]).toContain(code);
      // The doctor prints its findings on stdout.
      if (code === 2 && words !== "doctor client") expect(stderr).toMatch(/^chest-index: .+/);
    }
  });
});

const mayMount = (() => {
  const place = mkdtempSync(join(tmpdir(), "chest-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", place], { stdio: "ignore" });
    execFileSync("umount", [place]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true });
  }
})();

describe.skipIf(!mayMount)("a store on a mount that became read-only", () => {
  beforeEach(async () => {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", dir]);
    await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
    execFileSync("mount", ["-o", "remount,ro", dir]);
  });
  afterEach(() => execFileSync("umount", [dir]));

  it.each([
    "remember deploys-are-blue --entity acme",
    "doctor client",
    "list",
    "status",
    "forget 1",
    "backup",
    "outbox list",
    "reembed",
  ])("is reported as such, without a stack, and not as another user's: %s", async (words) => {
    const env = { CHEST_MODE: "local", CHEST_DATA_DIR: dir, HOME: tmpdir(), PATH: process.env.PATH ?? "" };
    const { code, stdout, stderr } = await captured(words, env);
    const told = stdout + stderr;
    expect(told).not.toMatch(/^\s+at .+:\d+|chown/m);
    if (code === 2) expect(told).toMatch(/read-only|EROFS/);
  });
});
