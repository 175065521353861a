import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { ask as askOnce, type Door, restDoor } from "../support/clients/doors.ts";
import { cleanEnv } from "../support/process.ts";
import { findFaults } from "../support/store-file.ts";

let dir: string;
let backend: Backend | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-backup-"));
});
afterEach(async () => {
  await backend?.kill9();
  rmSync(dir, { recursive: true, force: true });
});

/** A backend on a busy machine may ask the client to wait. */
async function ask(door: Door, tool: string, input: unknown): Promise<Record<string, unknown>> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(door, tool, input);
    } catch (error) {
      if (tries > 10 || !String(error).includes("UNAVAILABLE")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

const here = () => cleanEnv({ CHEST_DATA_DIR: dir });
const json = async (args: readonly string[], env: NodeJS.ProcessEnv) => {
  const { exitCode, stdout } = await runCli([...args, "--json"], env);
  return { exitCode, ...JSON.parse(stdout) };
};
const aFact = (content: string) => ({ entity_name: "acme-api", entity_kind: "project", layer: "learning", content });
/** Counts the found memories that contain the words; neighbours from the same session are found with them. */
const found = async (words: string) => {
  const answer = await ask(restDoor(backend as Backend), "chest_recall", { query: words });
  const { memories } = answer as { memories: { content: string }[] };
  return memories.filter(({ content }) => words.split(" ").every((word) => content.includes(word))).length;
};

it("the drill: a backup of a running backend, a loss, and everything restored", async () => {
  backend = await startBackend({ dataDir: dir });
  const door = restDoor(backend);
  for (let at = 0; at < 30; at++) await ask(door, "chest_remember", aFact(`harvest ${at} was brought in`));

  // Runs the command on the store's machine, and on another one with only the address and the token.
  const beside = await json(["backup"], here());
  const afar = cleanEnv({
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: backend.url,
    CHEST_API_TOKEN: backend.token,
    CHEST_DATA_DIR: join(dir, "elsewhere"),
  });
  const remote = await json(["backup"], afar);
  expect([beside, remote]).toEqual([
    expect.objectContaining({ exitCode: 0, rows: 30, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    expect.objectContaining({ exitCode: 0, rows: 30, file: expect.not.stringContaining("/") }),
  ]);
  // Both backups are of today: backups that a user made are kept for a day, whatever the rule for the others says.
  expect(JSON.parse((await runCli(["backup", "list", "--json"], here())).stdout)).toMatchObject([
    { sha256: remote.sha256 },
    { sha256: beside.sha256 },
  ]);
  const [kept] = JSON.parse((await runCli(["backup", "--list", "--json"], here())).stdout);
  expect(JSON.parse((await runCli(["backup", "list", "--json"], afar)).stdout)).toHaveLength(2);

  await ask(door, "chest_remember", aFact("the barn burnt down"));
  const tooEarly = await runCli(["restore", kept.file, "--yes"], here());
  expect(tooEarly).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/another process has .*\nhint: stop the backend/),
  });
  expect(await found("barn burnt")).toBe(1);
  expect(await runCli(["restore", kept.file, "--yes"], afar)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("CHEST_MODE=local"),
  });

  await backend.kill9();
  expect(await json(["restore", kept.file], here())).toMatchObject({
    check: true,
    rows_before: 31,
    rows_after: 30,
    kept_old: null,
  });
  const restored = await json(["restore", kept.file, "--yes"], here());
  expect(restored).toMatchObject({ exitCode: 0, rows_before: 31, rows_after: 30 });
  expect(findFaults(join(dir, "chest.db"))).toEqual([]);
  expect(findFaults(restored.kept_old)).toEqual([]);

  backend = await startBackend({ dataDir: dir });
  expect([await found("harvest"), await found("barn burnt")]).toEqual([expect.any(Number), 0]);
  await ask(restDoor(backend), "chest_remember", aFact("the barn stands again"));
  expect(await found("barn stands")).toBeGreaterThan(0);
});

it("says what is missing, and changes nothing", async () => {
  expect(await runCli(["backup"], here())).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("there is no store"),
  });
  expect(await runCli(["backup", "lst"], here())).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("unknown argument `lst`"),
  });
  expect(await runCli(["backup", "list"], here())).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining("no backups"),
  });
  expect(await runCli(["restore", "nowhere.db", "--yes"], here())).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("there is no file"),
  });
  expect(await runCli(["backup"], cleanEnv({ CHEST_DATA_DIR: dir, CHEST_BACKUP_KEEP: "forever" }))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("CHEST_BACKUP_KEEP"),
  });
});
