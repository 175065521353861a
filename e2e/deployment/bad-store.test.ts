import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { failToStart, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { ask, restDoor } from "../support/clients/doors.ts";
import { cleanEnv } from "../support/process.ts";
import { withStoreFile } from "../support/store-file.ts";

const aFact = (content: string) => ({ entity_name: "acme-api", entity_kind: "project", layer: "learning", content });
const digest = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");

/** Makes a closed store with some memories. */
async function makeStore(dataDir: string): Promise<void> {
  const backend = await startBackend({ dataDir });
  const door = restDoor(backend);
  for (let at = 0; at < 50; at++)
    await ask(door, "chest_remember", aFact(`build ${at} took four minutes ${"x".repeat(4000)}`));
  await backend.stop();
}

describe("a store that this release cannot open", () => {
  let sound: string;
  let dir: string;
  let file: string;

  beforeAll(async () => {
    sound = mkdtempSync(join(tmpdir(), "chest-sound-"));
    await makeStore(sound);
  });
  afterAll(() => rmSync(sound, { recursive: true }));
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "chest-bad-store-"));
    file = join(dir, "chest.db");
    copyFileSync(join(sound, "chest.db"), file);
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const CASES: Record<string, readonly [spoil: () => void, says: RegExp, hint: RegExp]> = {
    "of the future": [
      () => withStoreFile(file, (db) => db.exec("INSERT INTO chest_migrations VALUES ('9999_tomorrow', 'x', 0)")),
      /newer release.*9999_tomorrow/,
      /newer release|restore/,
    ],
    "of mcp-chest-memory 1.5": [
      () => {
        rmSync(file);
        withStoreFile(file, (db) =>
          db.exec(`CREATE TABLE _prisma_migrations (id TEXT); CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE memories (id INTEGER PRIMARY KEY, entity_id INTEGER, layer TEXT, content TEXT);
            INSERT INTO memories VALUES (1, 1, 'learning', 'what a team has learnt')`),
        );
      },
      /1\.5/,
      /CHEST_DB_PATH|import/,
    ],
    "of another program": [
      () => {
        rmSync(file);
        withStoreFile(file, (db) => db.exec("CREATE TABLE recipes (id INTEGER PRIMARY KEY, text TEXT)"));
      },
      /another program/,
      /CHEST_DB_PATH/,
    ],
    "no database": [() => writeFileSync(file, "these are my notes\n".repeat(1000)), /damaged|not an SQLite/, /backup/],
    "without its first page": [() => overwrite(file, 0, 4096), /damaged|not an SQLite/, /backup/],
    "cut in half": [() => truncateSync(file, 81_920), /damaged/, /backup/],
    "with a migration that was changed": [
      () => withStoreFile(file, (db) => db.exec("UPDATE chest_migrations SET sha256 = 'x'")),
      /1000_init.*not the one of this release/,
      /release that made it|backup/,
    ],
  };

  it.each(Object.keys(CASES))("ends the start with a way out, and is left unchanged: %s", async (name) => {
    const [spoil, says, hint] = CASES[name] ?? [() => {}, /never/, /never/];
    spoil();
    const before = digest(file);
    const { exitCode, output } = await failToStart(dir);
    expect(output).toMatch(says);
    expect(output).toMatch(new RegExp(`^hint: .*(?:${hint.source})`, "m"));
    expect(output).not.toMatch(/^\s+at .+:\d+:\d+/m);
    expect(exitCode).toBe(1);
    expect(digest(file)).toBe(before);
  });

  it("answers UNAVAILABLE, and goes on, where damage is only found at work", async () => {
    const backend = await startBackend({ dataDir: dir });
    // The file is damaged while the backend runs; at a start, a store of this size would be checked.
    const memory_id = spoilMemory(file);
    const door = restDoor(backend);
    const told = [
      await door.call("chest_recall", { ids: [memory_id] }),
      await door.call("chest_update_memory", { memory_id, importance: 0.1 }),
      await door.call("chest_forget", { memory_id }),
    ];
    await backend.stop();
    expect(told.map(({ error }) => error?.code)).toEqual(["UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"]);
  });

  it("names the newest backup where it finds the store damaged, and that command restores it", async () => {
    const env = cleanEnv({ CHEST_DATA_DIR: dir });
    await runCli(["backup"], env);
    spoilMemory(file);
    const damaged = digest(file);

    const { exitCode, output } = await failToStart(dir);

    expect(exitCode).toBe(1);
    expect(digest(file)).toBe(damaged);
    const [, mend = ""] = /^hint: restore a backup: `chest-index (.+?)`/m.exec(output) ?? [];
    expect((await runCli(mend.split(" "), env)).exitCode).toBe(0);
    const backend = await startBackend({ dataDir: dir });
    expect(await ask(restDoor(backend), "chest_recall", { ids: [20] })).toMatchObject({ memories: [{ id: 20 }] });
    await backend.stop();
  });
});

/** Overwrites every page that contains this memory's words. @returns the memory's id. */
function spoilMemory(file: string): number {
  const { id, content } = withStoreFile(file, (db) =>
    db.prepare("SELECT id, content FROM memories WHERE id = 20").get(),
  ) as { id: number; content: string };
  const bytes = readFileSync(file);
  const mark = Buffer.from(content.slice(0, 24));
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1))
    overwrite(file, at - (at % 4096), 4096);
  return id;
}

function overwrite(file: string, at: number, bytes: number): void {
  writeSync(openSync(file, "r+"), Buffer.alloc(bytes, 0xa5), 0, bytes, at);
}
