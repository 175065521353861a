import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runCli } from "../support/clients/cli.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../support/process.ts";
import { withStoreFile } from "../support/store-file.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-history-killed-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const REQUESTS = 2_500;

async function aLongTranscript(): Promise<string> {
  const { user, says, edits } = transcriptOf("long", join(dir, "checkout"));
  const today = new Date().toISOString().slice(0, 10);
  const lines = Array.from({ length: REQUESTS }, (_, at) => [
    user(`Please let part number ${at} of the pipeline wait for its own turn.`),
    says(`Part ${at} asks too early, it has to wait for the one before it.`),
    edits(join(dir, `checkout/src/part-${at % 300}.ts`)),
  ]);
  const path = join(dir, "long.jsonl");
  const text = lines.flat().map((line) => `${line.replace(/"timestamp":"[^T]+T/, `"timestamp":"${today}T`)}\n`);
  await writeFile(path, text.join(""));
  return path;
}

const envOf = (data: string) => cleanEnv({ HOME: dir, CHEST_DATA_DIR: join(dir, data) });

function startImport(path: string, data: string): ChildProcess {
  const words = [CHEST_INDEX, "import", "--session-file", path, "--skip-embed", "--json"];
  return spawn(NODE_24, words, { env: envOf(data), stdio: "ignore" });
}

async function importWhole(path: string, data: string) {
  const { exitCode, stdout } = await runCli(["import", "--session-file", path, "--skip-embed", "--json"], envOf(data));
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** Counts the lines imported so far; 0 before the import begins. */
function linesTaken(data: string): number {
  const path = join(dir, data, "chest.db");
  const sql = "SELECT imported_lines FROM sessions WHERE id = 'long'";
  try {
    return existsSync(path) ? withStoreFile(path, (db) => Number(db.prepare(sql).pluck().get() ?? 0)) : 0;
  } catch {
    return 0; // The store is still being created.
  }
}

const holdings = async (data: string) => {
  const { counts, layer_breakdown } = JSON.parse((await runCli(["stats", "--json"], envOf(data))).stdout);
  return { counts, layer_breakdown };
};

it("an import that is killed again and again ends as one that was let run", async () => {
  const path = await aLongTranscript();
  const whole = await importWhole(path, "whole");
  expect(whole).toMatchObject({ lines: { read: 3 * REQUESTS }, edits: REQUESTS });

  let taken = 0;
  for (let kill = 0; kill < 3; kill++) {
    const child = startImport(path, "killed");
    const ended = once(child, "exit");
    await expect.poll(() => linesTaken("killed"), { timeout: 30_000, interval: 20 }).toBeGreaterThan(taken);
    child.kill("SIGKILL");
    await ended;
    taken = linesTaken("killed");
    expect(taken).toBeLessThan(3 * REQUESTS);
  }
  expect((await importWhole(path, "killed")).lines.read).toBe(3 * REQUESTS - taken);
  expect(await holdings("killed")).toEqual(await holdings("whole"));
  expect(await importWhole(path, "killed")).toMatchObject({ lines: { read: 0 }, memories: { inserted: 0 }, edits: 0 });
}, 120_000);
