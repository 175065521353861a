import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_ENV } from "@chest/models/testing";
import { makeChest15 } from "@chest/store-sqlite/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { run as runCommand } from "../../run.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-cli-import-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

async function run(words: readonly string[], env: Record<string, string> = {}) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += text;
      return true;
    });
  }
  const code = await runCommand(words, { CHEST_DATA_DIR: join(dir, "data"), ...env });
  vi.restoreAllMocks();
  return { code, ...printed };
}
const at = (name: string) => join(dir, name);

describe("an import", () => {
  it("reads a database of 1.5, names what was left out, and exits 1 for that", async () => {
    makeChest15(at("old.db"));

    const first = await run(["import", "--from", "chest15", at("old.db")]);
    const again = await run(["import", "--from", "chest15", at("old.db"), "--json"]);

    expect(first.code).toBe(1);
    expect(first.stdout).toContain("memories: 12 came in, with their ids; 0 were there; 3 left");
    expect(first.stdout).toContain("left 1 memory: its layer is unknown (17)");
    expect(JSON.parse(again.stdout)).toMatchObject({
      dry_run: false,
      from: "chest15",
      exit_code: 1,
      memories: { inserted: 0, unchanged: 12, left: 3 },
    });
  });

  it("reads the memory of MCP's reference server, and exits 0", async () => {
    const lines = [
      { type: "entity", name: "Ada", entityType: "person", observations: ["speaks French"] },
      { type: "relation", from: "Ada", to: "Acme", relationType: "works_at" },
    ];
    writeFileSync(at("memory.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));

    const { code, stdout } = await run(["import", "--from", "mcp-memory", at("memory.jsonl")]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("memories: 2 came in") });
  });

  it("reads an archive into another store, once", async () => {
    makeChest15(at("old.db"));
    await run(["import", "--from", "chest15", at("old.db")]);
    const out = await run(["export", "--out", at("all.ndjson")]);
    const other = { CHEST_DB_PATH: at("other/chest.db") };

    const first = await run(["import", "--archive", at("all.ndjson")], other);
    const again = await run(["import", "--archive", at("all.ndjson")], other);

    expect(out).toMatchObject({ code: 0, stdout: expect.stringMatching(/^exported \d+ records/) });
    expect(statSync(at("all.ndjson")).mode & 0o777).toBe(0o600);
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("memories: 12 came in, with their ids") });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("memories: 0 came in; 12 were there") });
  });

  it("makes the store for the model that is configured", async () => {
    makeChest15(at("old.db"));
    await run(["import", "--from", "chest15", at("old.db")], FIXTURE_ENV);
    const { stdout } = await run(["status", "--json"]);
    expect(JSON.parse(stdout).embedding.active.model).toBe(FIXTURE_ENV.CHEST_EMBED_MODEL);
  });

  it("changes nothing in a dry run", async () => {
    makeChest15(at("old.db"));
    const { stdout } = await run(["import", "--from", "chest15", at("old.db"), "--dry-run"]);
    expect(stdout).toContain("memories: 12 to come in");
    expect(existsSync(at("data/chest.db"))).toBe(false);
  });
});

describe("an import refuses, with a way on, and before it changes anything", () => {
  beforeEach(() => makeChest15(at("old.db")));

  const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: "http://127.0.0.1:1", CHEST_API_TOKEN: "t".repeat(32) };
  it.each<[string, (at: (name: string) => string) => string[], string, string, Record<string, string>?]>([
    ["no source", () => [], "nothing to import was named", "--from chest15 FILE"],
    ["a format that is none", (at) => ["--from", "chest14", at("old.db")], "chest14", "chest15, mcp-memory"],
    ["a format without a file", () => ["--from", "chest15"], "needs a file", "FILE"],
    ["two sources", (at) => ["--archive", "x", at("old.db")], "names the file by itself", "--archive FILE"],
    ["a file that is not there", () => ["--from", "chest15", "/no/such.db"], "ENOENT", "name the file"],
    ["a folder", (at) => ["--archive", at(".")], "is a folder", "name the file"],
    ["another kind of file", (at) => ["--archive", at("old.db")], "is not an archive of Chest", "chest-index export"],
    [
      "a backend's settings",
      (at) => ["--from", "chest15", at("old.db")],
      "acts on a store's file",
      "docker compose",
      remote,
    ],
  ])("%s", async (_, args, message, hint, env) => {
    const { code, stderr } = await run(["import", ...args(at)], env);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(new RegExp(`hint: .*${hint}`));
    expect(existsSync(at("data/chest.db"))).toBe(false);
  });

  it("the old database in the place of the store itself", async () => {
    const before = readFileSync(at("old.db"));
    const env = { CHEST_DB_PATH: at("old.db") };
    const { code, stderr } = await run(["import", "--from", "chest15", at("old.db")], env);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("CHEST_DB_PATH=") });
    expect(readFileSync(at("old.db"))).toEqual(before);
  });
});

describe("an export refuses", () => {
  it.each([
    ["a store that is not there", [], "there is no store"],
    ["a document beside the archive on stdout", ["--json"], "needs `--out FILE`"],
  ])("%s", async (_, args, message) => {
    const { code, stderr } = await run(["export", ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(at("data"))).toBe(false);
  });

  it("an unknown project, and a path that cannot be written", async () => {
    makeChest15(at("old.db"));
    await run(["import", "--from", "chest15", at("old.db")]);
    expect(await run(["export", "--project", "nobody/has"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no project `nobody/has`"),
    });
    expect(await run(["export", "--out", at("no/such/folder/x.ndjson")])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("ENOENT"),
    });
  });
});
