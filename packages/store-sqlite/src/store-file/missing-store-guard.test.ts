import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@chest/core/ports";
import { aCall } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMigrations } from "../database/migrations.ts";
import { backUpStore, exportRecords, importRecords, openSqliteEngine, rebuildText, restoreStore } from "../index.ts";
import { openBriefly } from "../open-for-hook.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-lost-"));
  path = join(dir, "chest.db");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const addEntity = (engine: Awaited<ReturnType<typeof openSqliteEngine>>, name: string) =>
  engine
    .as(aCall())
    .write((tx) =>
      tx.entities.findOrAdd({ name, kind: "project", key: undefined, visibility: "team", projectKey: undefined }),
    );

async function makeStore(place = path): Promise<void> {
  const engine = await openSqliteEngine({ path: place });
  await addEntity(engine, "acme");
  await engine.close();
}

/** A store as a process leaves it that was killed: everything it wrote since its start is in the log. */
async function makeKilled(): Promise<void> {
  const engine = await openSqliteEngine({ path });
  await addEntity(engine, "acme");
  copyFileSync(`${path}-wal`, join(dir, "log"));
  await engine.close();
  rmSync(`${path}.closed`);
  renameSync(join(dir, "log"), `${path}-wal`);
}

const backUp = (folder = join(dir, "backups")) => backUpStore({ path, folder, reason: "manual" });

/** Names and bytes of all there is but the locks. */
const state = () =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString("base64")])
    .sort();

const LOSSES = [
  ["empty", () => truncateSync(path), /is empty \(0 bytes\)/],
  ["missing", () => rmSync(path), /is missing/],
] as const;

describe.each(LOSSES)("a store that is %s is not opened as a new one", (_, lose, message) => {
  it("while it is noted as closed", async () => {
    await makeStore();
    lose();
    const before = state();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(/chest-index restore FILE --yes.*move away first: \S+chest\.db\.closed;/),
    });
    expect(state()).toEqual(before);
  });

  it("while its log is there, which stays", async () => {
    await makeKilled();
    lose();
    const before = state();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      message: expect.stringMatching(/chest\.db-wal of \d+ bytes/),
      hint: expect.stringMatching(/move away first: \S+chest\.db-wal;/),
    });
    expect(state()).toEqual(before);
  });

  it("while there is a backup of it, and is told how that comes back", async () => {
    await makeStore();
    const { path: copy } = await backUp();
    rmSync(`${path}.closed`);
    lose();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      message: expect.stringContaining("1 backups in"),
      hint: expect.stringContaining(`chest-index restore ${copy} --yes`),
    });

    await restoreStore({ path, from: copy });
    await (await openSqliteEngine({ path })).close();
  });

  it("while a backup lies there that came without its manifest", async () => {
    await makeStore();
    const { path: copy } = await backUp();
    rmSync(`${copy}.json`);
    rmSync(`${path}.closed`);
    lose();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({ name: "CannotOpen" });
  });

  it.each([
    ["imported into", () => importRecords({ path, records: [], isDry: false, release: "1" })],
    ["tried to be imported into", () => importRecords({ path, records: [], isDry: true, release: "1" })],
    ["exported", () => exportRecords({ path, withVectors: false }, async () => undefined)],
    ["indexed anew", () => rebuildText(path)],
    ["backed up", () => backUp()],
  ] as const)("nor %s", async (_what, work) => {
    await makeKilled();
    lose();
    const before = state();
    await expect((async () => work())()).rejects.toMatchObject({ name: "CannotOpen" });
    expect(state()).toEqual(before);
  });
});

describe("a new store is made", () => {
  it("where a file of no bytes and nothing else is", async () => {
    writeFileSync(path, "");
    writeFileSync(`${path}-wal`, "");
    writeFileSync(`${path}.lock`, "");
    await makeStore();
  });

  it("beside another one with backups", async () => {
    await makeStore();
    await backUp();
    await makeStore(join(dir, "second.db"));
  });

  it("though a folder of backups elsewhere holds some, which may be anybody's", async () => {
    await makeStore();
    await backUp(join(dir, "elsewhere"));
    for (const name of ["chest.db", "chest.db.closed"]) rmSync(join(dir, name));
    await (await openSqliteEngine({ path, backupDir: join(dir, "elsewhere") })).close();
  });

  it("once what was named is moved away", async () => {
    await makeStore();
    await backUp();
    rmSync(path);
    const refused = openSqliteEngine({ path });
    await expect(refused).rejects.toThrow();
    const { hint } = (await refused.catch((error: unknown) => error)) as { hint: string };
    const named = /move away first: (.*);/.exec(hint)?.[1]?.split(", ") ?? [];
    for (const file of named) renameSync(file, `${file}.away`);
    expect(named).toHaveLength(2);
    await makeStore();
  });
});

it("an empty store is not opened in passing either, which would take its log away", async () => {
  await makeKilled();
  truncateSync(path);
  const before = state();
  const leftMs = () => 1000;
  const migrations = readMigrations();
  expect(await openBriefly({ path, mayWrite: false, migrations, clock: systemClock, leftMs })).toBeUndefined();
  expect(state()).toEqual(before);
});

it("a log without its store goes out of the way of the one that is restored, and is kept", async () => {
  await makeKilled();
  const { path: copy } = await backUp();
  const log = readFileSync(`${path}-wal`);
  expect(log.length).toBeGreaterThan(0);
  rmSync(path);

  const { keptOld = "" } = await restoreStore({ path, from: copy });

  expect(keptOld).toMatch(/\.replaced-.*-wal$/);
  expect(readFileSync(keptOld)).toEqual(log);
  expect(existsSync(`${path}-wal`)).toBe(false);
  await (await openSqliteEngine({ path })).close();
});
