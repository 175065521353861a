import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { expect, it, vi } from "vitest";
import { aFolder, aPort, start } from "./testing/process.ts";
import { TOKEN } from "./testing/token.ts";

// The tests start processes, on a machine that runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000 });

const LONG_AGO_MS = 400 * 86_400_000;
const AN_HOUR_MS = 3_600_000;

/** Makes a store with one memory that expired long ago and one written an hour ago. @returns its data folder. */
async function inUseSinceLongAgo(): Promise<string> {
  const folder = await storedLongAgo();
  const clock = { now: () => new Date(Date.now() - AN_HOUR_MS) };
  const engine = await openSqliteEngine({ path: join(folder, "chest.db"), clock });
  const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock });
  const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "lately told" };
  await executor.execute("chest_remember", fact, aCall({ caller: localCaller(undefined) }));
  await engine.close();
  return folder;
}

/** Makes a store with one memory that expired long ago and nothing since. @returns its data folder. */
async function storedLongAgo(): Promise<string> {
  const folder = aFolder();
  const clock = { now: () => new Date(Date.now() - LONG_AGO_MS) };
  const engine = await openSqliteEngine({ path: join(folder, "chest.db"), clock });
  const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock });
  const fact = { entity_name: "acme", entity_kind: "project", layer: "emotion", content: "glad today" };
  await executor.execute("chest_remember", fact, aCall({ caller: localCaller(undefined) }));
  await engine.close();
  return folder;
}

async function serverOn(folder: string, env: Record<string, string> = {}) {
  const CHEST_PORT = String(await aPort());
  const usual = { CHEST_API_TOKEN: TOKEN, CHEST_DATA_DIR: folder, CHEST_BIND_HOST: "127.0.0.1", CHEST_PORT };
  const server = start("main", { ...usual, ...env });
  await server.has("listening");
  return server;
}

async function look(folder: string) {
  const engine = await openSqliteEngine({ path: join(folder, "chest.db") });
  const memory = await engine.as(aCall({ caller: localCaller(undefined) })).memories.byId(1);
  const runs = await engine.lifecycle.journal.runs(5);
  await engine.close();
  return { reason: memory?.archivedReason, runs };
}

it("maintains its store by itself, says so once, and ends cleanly", async () => {
  const folder = await inUseSinceLongAgo();
  const server = await serverOn(folder);
  await server.has('"msg":"maintenance"');
  server.stop("SIGTERM");
  expect(await server.ended).toBe(0);
  const { reason, runs } = await look(folder);
  expect(reason).toBe("expired");
  expect(runs).toMatchObject([{ trigger: "start", outcome: "done" }]);
  expect(server.output.stdout).not.toContain("glad today");
});

it("expires nothing in the first run after a week of silence, in case the clock is wrong, and says so", async () => {
  const folder = await storedLongAgo();
  const server = await serverOn(folder);
  await server.has("wait for one interval, in case the clock is wrong");
  server.stop("SIGTERM");
  expect(await server.ended).toBe(0);
  const { reason, runs } = await look(folder);
  expect(reason).toBeUndefined();
  expect(runs).toMatchObject([{ trigger: "start", outcome: "done" }]);
  expect(runs[0]?.passes.find(({ name }) => name === "expiry")?.note).toMatch(
    /^waits for one interval: .* since \d{4}-/,
  );
});

it("leaves its store alone when maintenance is off", async () => {
  const folder = await inUseSinceLongAgo();
  const server = await serverOn(folder, { CHEST_AUTO_MAINTENANCE: "0" });
  await new Promise((resolve) => setTimeout(resolve, 7000));
  server.stop("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(await look(folder)).toEqual({ reason: undefined, runs: [] });
});
