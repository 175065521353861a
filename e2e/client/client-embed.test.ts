import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FIXTURE_ENV, fixtureModels, OTHER_FIXTURE_ENV } from "@chest/models/testing";
import { transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inShort, isShort } from "../../deploy/local/test-extent.ts";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, type Door, mcpDoor, restDoor } from "../support/clients/doors.ts";
import { aMemory, chestIndex, embeddedOnce, inFourLanguages, startChestIndex } from "../support/clients/embedding.ts";
import { AgentMachine } from "../support/clients/hook.ts";
import { type Deployment, startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";
import { inParallel } from "../support/in-parallel.ts";
import { report } from "../support/report.ts";

const WITHOUT_MODEL = { CHEST_SYNC_EMBED: "0", CHEST_AUTO_MAINTENANCE: "0" };
const NO_LIMITS = { CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0", CHEST_SEARCH_TIMEOUT_MS: "30000" };
const TARGET = aMemory("the bakery delivers flour at dawn", 0);
const QUESTION = "パン";
// A claim of a killed process expires after a minute; tests that wait for it run only in the nightly form.
const A_WHILE = { timeout: 150_000, interval: 250 };

let withModel: NodeJS.ProcessEnv;
beforeEach(async () => {
  withModel = { ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() };
});

const pending = async (backend: Backend): Promise<number> => {
  const headers = { authorization: `Bearer ${backend.token}` };
  const answer = await fetch(`${backend.url}/memories/pending?limit=1`, { headers });
  return ((await answer.json()) as { remaining: number }).remaining;
};
const untilEmbedded = (backend: Backend) => vi.waitFor(async () => expect(await pending(backend)).toBe(0), A_WHILE);
const storeAll = (door: Door, memories: readonly object[], width = 8) =>
  inParallel(memories, width, (memory) => ask(door, "chest_remember", memory));
const found = (door: Door, query: string) => ask(door, "chest_recall", { query, mark_accessed: false, explain: true });

describe.skipIf(!hasNginx)("a backend without a model, behind TLS", () => {
  let there: Deployment;
  beforeEach(async () => {
    there = await startDeployment({ ...WITHOUT_MODEL, ...NO_LIMITS, ...FIXTURE_ENV });
  });
  afterEach(() => there.stop());

  it("gets everything that two clients store embedded within seconds, nothing twice, and finds by meaning", async () => {
    const clients = await Promise.all([there.connectStdio("one", withModel), there.connectStdio("two", withModel)]);
    const [one, two] = clients.map(({ client }) => mcpDoor(client)) as [Door, Door];
    const count = inShort(100, 300);
    const memories = inFourLanguages(count - 1);
    const target = await ask(one, "chest_remember", { ...TARGET, visibility: "team" });
    await Promise.all([storeAll(one, memories.slice(0, count / 2)), storeAll(two, memories.slice(count / 2))]);
    const storedAt = performance.now();
    await untilEmbedded(there.backend);
    report(`${count} memories, two clients`, {
      "ms from the last write to the last vector": Math.round(performance.now() - storedAt),
    });

    const answer = await found(two, QUESTION);
    expect(answer).toMatchObject({ search: "fts5+vector", memories: [{ id: target.memory_id }] });
    expect(answer).toHaveProperty("memories.0.match_reasons", expect.arrayContaining(["vector_only"]));
    const { embedded, twice } = await embeddedOnce(there.backend.dataDir);
    expect({ embedded, twice }).toEqual({ embedded: count, twice: [] });
  }, 240_000);

  it("gets what a hook stored embedded by the client beside the agent", async () => {
    const machine = new AgentMachine({
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: there.url,
      CHEST_API_TOKEN: there.token,
      CHEST_CA_FILE: there.caFile,
    });
    const transcript_path = machine.transcript("s1");
    const { user } = transcriptOf("s1");
    writeFileSync(
      transcript_path,
      `${user("Never let the bakery deliver flour before dawn, the door is shut then.")}\n`,
    );
    const stop = async () => {
      const { exitCode, stderr } = await machine.hook("stop", { session_id: "s1", transcript_path });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      return pending(there.backend);
    };
    // On a busy machine a hook may end before its work is done; the next one does it.
    await expect.poll(stop, { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);

    const { client } = await there.connectStdio("one", { ...withModel, CHEST_PROJECT: "git.example/acme/acme" });
    await untilEmbedded(there.backend);
    const answer = await found(mcpDoor(client), QUESTION);
    machine.remove();
    expect(answer).toHaveProperty("memories.0.match_reasons", expect.arrayContaining(["vector_only"]));
  }, 240_000);

  it.skipIf(isShort)(
    "gets its backlog finished by one client when the other is killed in the middle",
    async () => {
      const count = 1200;
      await storeAll(restDoor(there), inFourLanguages(count));
      const killed = await there.connectStdio("one", withModel);
      await there.connectStdio("two", withModel);
      await vi.waitFor(async () => expect(await pending(there.backend)).toBeLessThan(count - 100), A_WHILE);
      const left = await pending(there.backend);
      process.kill(killed.pid, "SIGKILL");
      expect(left).toBeGreaterThan(0);
      await untilEmbedded(there.backend);
      report("a client killed in mid-drain", { pending: count, "left for the other": left });
      expect((await embeddedOnce(there.backend.dataDir)).embedded).toBe(count);
    },
    240_000,
  );

  it("keeps memories pending where no client has a model, finds by words, and is drained from a third machine, killed and started again", async () => {
    const { client } = await there.connectStdio("one");
    const door = mcpDoor(client);
    const target = await ask(door, "chest_remember", { ...TARGET, visibility: "team" });
    await storeAll(door, inFourLanguages(99));
    const answer = await found(door, "bakery");
    expect(answer).toMatchObject({
      memories: expect.arrayContaining([expect.objectContaining({ id: target.memory_id })]),
      degraded: [{ leg: "vector", reason: "no_embedder" }],
      staleness_warning: { embedding_missing_count: 100 },
    });
    expect(await pending(there.backend)).toBe(100);

    const reach = { CHEST_MODE: "remote", CHEST_REMOTE_URL: there.url, CHEST_API_TOKEN: there.token };
    const third = { ...reach, ...withModel, CHEST_CA_FILE: there.caFile };
    const planned = await chestIndex("pending-resync --dry-run --json", third);
    expect([planned.code, JSON.parse(planned.stdout)]).toEqual([0, expect.objectContaining({ remaining: 100 })]);
    const first = startChestIndex("pending-resync --batch-size 1 --concurrency 1", third);
    await expect.poll(() => pending(there.backend), { timeout: 60_000, interval: 5 }).toBeLessThan(90);
    await first.end("SIGKILL");
    const left = await pending(there.backend);
    expect(left).toBeGreaterThan(0);
    // The killed client's claims expire in a moment, and the command waits for them.
    const done = await chestIndex("pending-resync --json --concurrency 4", third);
    expect([done.code, JSON.parse(done.stdout)]).toEqual([
      0,
      expect.objectContaining({ total_processed: left, total_failed: 0, remaining: 0 }),
    ]);
    expect(await embeddedOnce(there.backend.dataDir)).toEqual({ embedded: 100, twice: [] });
  }, 240_000);
});

describe("a backend with a model", () => {
  let dir: string;
  let backend: Backend;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-reembed-"));
  });
  afterEach(async () => {
    await backend.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it.skipIf(isShort)(
    "is killed in the middle of a change of its model, and finishes it by itself when it is back",
    async () => {
      const count = 1000;
      const env = { ...NO_LIMITS, ...withModel };
      backend = await startBackend({ dataDir: dir, env });
      const door = restDoor(backend);
      const target = await ask(door, "chest_remember", TARGET);
      await storeAll(door, inFourLanguages(count - 1));
      await untilEmbedded(backend);

      const here = { CHEST_DATA_DIR: dir, CHEST_MODELS_DIR: withModel.CHEST_MODELS_DIR };
      const other = { ...here, ...OTHER_FIXTURE_ENV };
      const changing = startChestIndex("reembed --batch-size 1", other);
      const share = async () =>
        JSON.parse((await chestIndex("reembed --check --json", other)).stdout) as { done: number; is_active: boolean };
      await vi.waitFor(async () => expect((await share()).done).toBeGreaterThan(0), { ...A_WHILE, interval: 10 });
      await Promise.all([backend.kill9(), changing.end("SIGKILL")]);
      const halfway = await share();
      expect(halfway.is_active).toBe(false);
      expect(halfway.done).toBeLessThan(count);

      backend = await startBackend({ dataDir: dir, env, token: backend.token });
      expect(await found(restDoor(backend), QUESTION)).toMatchObject({ memories: [{ id: target.memory_id }] });
      // Each check starts a process, which takes time from the embedding that it waits for.
      const isDone = async () => expect(await share()).toMatchObject({ done: count, is_active: true });
      await vi.waitFor(isDone, { ...A_WHILE, interval: 2000 });
      report("a change of model killed in the middle", { memories: count, "done before": halfway.done });
      expect(await found(restDoor(backend), QUESTION)).toMatchObject({
        search: "fts5+vector",
        memories: [{ id: target.memory_id }],
      });
    },
    240_000,
  );
});
