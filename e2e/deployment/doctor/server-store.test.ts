import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apply, readEarlier } from "@chest/store-sqlite/migrations";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { canMount, mountDisk } from "../../support/deployment/disk.ts";
import {
  DoctoredServer,
  freshServer,
  sharedServer,
  testsEveryCheckOf,
} from "../../support/deployment/doctored-server.ts";
import { withStoreFile } from "../../support/store-file.ts";

vi.setConfig({ testTimeout: 180_000 });

const EELS = 12;

/** A closed store of thirteen memories with a backup: made once, and copied for each test. */
let made: DoctoredServer;
beforeAll(async () => {
  made = await DoctoredServer.make();
  await made.start();
  for (let at = 0; at < EELS; at++) await made.remember(`the eel ${at} swims upstream ${"and on ".repeat(400)}`);
  await made.remember("the heron stands still");
  await made.backup();
  await made.stop();
});
afterAll(() => made.remove());

const held = freshServer();
const closedStore = () => {
  const { server } = held;
  cpSync(made.dir, server.dir, { recursive: true });
  return server;
};

describe("doctor server, on the store's file", () => {
  it("reports texts and index that do not match the rows; the fix rebuilds them", async () => {
    const server = closedStore();
    withStoreFile(server.store, (db) => db.exec(`DELETE FROM memory_text WHERE memory_id = ${EELS + 1}`));
    await server.start();

    const before = await server.doctor();
    expect(before.find("server.text")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("1 memory without"),
    });
    expect(before.exitCode).toBe(2);
    await expect(server.apply(before.find("server.text"))).rejects.toMatchObject({
      stderr: expect.stringContaining("stop the backend"),
    });
    await server.stop();
    await server.apply(before.find("server.text"));

    await server.start();
    expect((await server.doctor()).find("server.text").status).toBe("ok");
    const { stdout } = await server.cli(["recall", "heron stands", "--json"], { CHEST_MODE: "local" });
    // A memory of the same session is in the neighbouring row.
    expect(JSON.parse(stdout).memories[0]).toMatchObject({ id: EELS + 1 });
  });

  it("reports, beside a backend that cannot start, that its store is damaged; the fix restores a backup", async () => {
    const server = closedStore();
    const bytes = readFileSync(server.store);
    const page = bytes.indexOf("the eel 7 swims");
    bytes.fill(0xa5, page - (page % 4096), page - (page % 4096) + 4096);
    writeFileSync(server.store, bytes);

    const before = await server.doctor();
    expect(before.find("server.db.integrity").status).toBe("fail");
    expect(before.find("server.network.health")).toMatchObject({
      status: "fail",
      fix_hint: "sudo systemctl start chest",
    });
    expect(readFileSync(server.store)).toEqual(bytes);
    await server.apply(before.find("server.db.integrity"));

    expect((await server.doctor()).find("server.db.integrity").status).toBe("ok");
    await server.start();
    expect((await server.doctor()).find("server.text")).toMatchObject({
      status: "ok",
      message: expect.stringContaining(`${EELS + 1} memories`),
    });
  });

  it.each<[string, string, "warn" | "fail", (store: string) => void]>([
    ["is empty", "exists", "fail", (store) => truncateSync(store, 0)],
    ["is gone", "exists", "fail", (store) => rmSync(store)],
    ["lacks a table", "tables", "fail", (store) => withStoreFile(store, (db) => db.exec("DROP TABLE memory_links"))],
  ])("reports that the store %s; the fix restores the backup", async (_, id, status, breakIt) => {
    const server = closedStore();
    breakIt(server.store);
    const before = (await server.doctor()).find(`server.db.${id}`);
    expect(before).toMatchObject({ status, fix_hint: expect.stringMatching(/^chest-index restore .* --yes$/) });
    await server.apply(before);
    await server.start();
    const { find } = await server.doctor();
    expect(find(`server.db.${id}`).status).toBe("ok");
    expect(find("server.text").message).toContain(`${EELS + 1} memories,`);
  });

  it("reports a store without a write-ahead log; the named start sets it", async () => {
    const server = closedStore();
    withStoreFile(server.store, (db) => db.pragma("journal_mode = DELETE"));
    const before = (await server.doctor()).find("server.db.journal_mode");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("delete") });
    await server.apply(before);
    expect(server.machineCommands()).toBe("systemctl restart chest");
    await server.start();
    expect((await server.doctor()).find("server.db.journal_mode").status).toBe("ok");
  });

  it("reports a log that has grown; the named restart merges it", async () => {
    const server = closedStore();
    await server.start();
    // Imitates the log after a burst of writes: it is long, and most of it is no longer needed.
    truncateSync(`${server.store}-wal`, 300 * 1_048_576);
    const before = (await server.doctor()).find("server.wal");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("300 MB") });
    await server.apply(before);
    expect(server.machineCommands()).toBe("systemctl restart chest");
    await server.stop();
    await server.start();
    expect((await server.doctor()).find("server.wal").status).toBe("ok");
  });

  it("reports a store of an earlier release; the named restart upgrades it", async () => {
    const { server } = held;
    mkdirSync(server.dir, { mode: 0o700 });
    withStoreFile(server.store, (db) => apply(db, readEarlier()));
    const before = (await server.doctor()).find("server.schema");
    expect(before).toMatchObject({ status: "warn", message: expect.stringContaining("1000_init") });
    await server.apply(before);
    expect(server.machineCommands()).toBe("systemctl restart chest");
    await server.start();
    expect((await server.doctor()).find("server.schema")).toMatchObject({
      status: "ok",
      message: expect.stringMatching(/^\d{4}_/),
    });
  });

  it("reports a store of a later release, and leaves it alone", async () => {
    const server = closedStore();
    withStoreFile(server.store, (db) =>
      db.exec("UPDATE meta SET value = '9999_tomorrow' WHERE key = 'schema_version'"),
    );
    const { find, exitCode } = await server.doctor();
    expect([find("server.schema").status, exitCode]).toEqual(["fail", 2]);
    expect(find("server.schema").fix_hint).toMatch(/^git -C \S+ pull && npm .*run setup/);
  });

  it.skipIf(!canMount)("reports a full disk; gone with the file that filled it", async () => {
    const { server } = held;
    const disk = mountDisk(100);
    onTestFinished(() => disk.unmount());
    server.dir = join(disk.path, "data");
    await server.start();
    disk.fill();
    expect((await server.doctor()).find("server.disk")).toMatchObject({
      status: "fail",
      message: expect.stringContaining("writes are refused"),
      fix_hint: expect.stringMatching(/^$|docker system prune|journalctl --vacuum-size/),
    });
    disk.free();
    expect((await server.doctor()).find("server.disk").status).toBe("ok");
    await server.stop();
  });
});

describe("doctor server, beside a backend that makes no backups by itself", () => {
  const shared = sharedServer({ CHEST_BACKUP_INTERVAL_HOURS: "0" });
  beforeAll(() => shared.server.remember("the eel swims upstream"));

  it("reports files that others can read, and a store without a backup; the fixes correct both", async () => {
    const { server } = shared;
    chmodSync(server.dir, 0o755);
    chmodSync(server.store, 0o644);

    const before = await server.doctor();
    expect([before.find("server.permissions").status, before.find("server.backup").status]).toEqual(["warn", "warn"]);
    expect(before.exitCode).toBe(1);
    await server.apply(before.find("server.permissions"));
    await server.apply(before.find("server.backup"));

    const after = await server.doctor();
    expect([after.find("server.permissions").status, after.find("server.backup").status]).toEqual(["ok", "ok"]);
  });

  it("reports a backup that has lost its manifest; the fix makes another", async () => {
    const { server } = shared;
    const file = await server.backup();
    expect((await server.doctor()).find("server.backup").status).toBe("ok");
    rmSync(`${file}.json`);
    const unsure = (await server.doctor()).find("server.backup");
    expect(unsure).toMatchObject({ status: "warn", message: expect.stringContaining("no manifest") });
    await server.apply(unsure);
    expect((await server.doctor()).find("server.backup").status).toBe("ok");
  });

  it("reports that no write is possible while another process locks the store; gone with the lock", async () => {
    const { server } = shared;
    const other = new Database(server.store);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    const before = (await server.doctor()).find("server.db.writable");
    expect(before).toMatchObject({ status: "fail", message: expect.stringContaining("busy") });
    expect((await server.apply(before)).stdout).toContain(server.store);
    other.exec("ROLLBACK");
    expect((await server.doctor()).find("server.db.writable").status).toBe("ok");
  });
});

testsEveryCheckOf("store");
