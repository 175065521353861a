import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onPrompt } from "@chest/core/hooks";
import { noEmbedder, systemClock } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { captureTranscript } from "@chest/core/transcript";
import { aCall, transcriptOf } from "@chest/testing";
import { afterAll, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { readMigrations } from "../database/migrations.ts";
import { openSqliteEngine } from "../open.ts";
import { openBriefly } from "../open-for-hook.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-brief-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const migrations = readMigrations();
const open = (path: string, mayWrite: boolean, of = migrations) =>
  openBriefly({ path, mayWrite, migrations: of, clock: systemClock, leftMs: () => 100 });
const call = aCall();

async function aStore(name: string): Promise<string> {
  const path = join(folder, name);
  await (await openSqliteEngine({ path, synchronous: "NORMAL" })).close();
  return path;
}

it("takes a session in, and finds what it said, without a thread", async () => {
  const path = await aStore("a.db");
  const { user } = transcriptOf("heard");
  const lines = [user("Never let the curlew migration run twice on one database.")];
  const writing = await open(path, true);
  if (!writing) throw new Error("there is a store");
  const ports = { store: writing.as(call), clock: systemClock };
  await captureTranscript(() => lines, {}, ports, call.caller);
  await writing.close();

  const reading = await open(path, false);
  if (!reading) throw new Error("there is a store");
  const shown = await onPrompt(
    { prompt: "may the curlew migration run twice?", shown: [], files: [], is_first: false },
    {
      store: reading.as(call),
      clock: systemClock,
      embedders: () => noEmbedder,
      limits: DEFAULT_LIMITS,
      ranking: DEFAULT_RANKING,
      signal: call.signal,
    },
    call.caller,
  );
  expect(shown.context).toContain("curlew migration");
  await expect(reading.as(call).write(async () => 1)).rejects.toThrow("opened for reading");
  await reading.close();
});

it("waits for no lock any longer than it is given", { timeout: 4000 }, async () => {
  const path = await aStore("held.db");
  const holder = new Connection(path);
  holder.db.pragma("locking_mode = EXCLUSIVE");
  holder.db.exec("BEGIN IMMEDIATE; CREATE TABLE held (id)");
  await expect(open(path, false)).rejects.toThrow("locked");
  holder.close();
});

it("makes nothing where there is none", async () => {
  expect(await open(join(folder, "none.db"), true)).toBe(undefined);
});

it("leaves a store of another release alone", async () => {
  const path = await aStore("older.db");
  const more = { name: "9999_later", sql: "", sha256: "" };
  expect(await open(path, true, [...migrations, more])).toBe(undefined);
  await expect(open(path, true, migrations.slice(0, -1))).rejects.toThrow("newer release");

  const connection = new Connection(path);
  expect(connection.get("SELECT count(*) AS rows FROM memories")).toEqual({ rows: 0 });
  connection.close();
});

it.runIf(existsSync("/proc/self/fd"))("holds no file that it did not open a store of", async () => {
  const path = await aStore("unheld.db");
  await expect(open(path, true, migrations.slice(0, -1))).rejects.toThrow("newer release");
  const held = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(join("/proc/self/fd", fd))];
    } catch {
      return []; // Closed since.
    }
  });
  expect(held.filter((file) => file.startsWith(path))).toEqual([]);
});

it("stands beside a process that has the store open", async () => {
  const path = join(folder, "shared.db");
  const engine = await openSqliteEngine({ path, synchronous: "NORMAL" });
  const brief = await open(path, true);
  const taken = { nextLine: 3, lastLineHash: undefined, carry: undefined };
  await brief?.as(call).write((tx) => tx.sessions.keepProgress("beside", taken, undefined));
  await brief?.close();
  expect(await engine.as(call).sessions.progress("beside")).toMatchObject({ nextLine: 3 });
  await engine.close();
});
