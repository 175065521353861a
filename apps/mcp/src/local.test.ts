import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import { localCaller } from "@chest/core/access";
import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import { onSessionEnd } from "@chest/core/hooks";
import { localExecutor } from "@chest/core/pipeline";
import { type Clock, type Engine, systemClock } from "@chest/core/ports";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { captureTranscript, linesOf } from "@chest/core/transcript";
import { identityOf } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import { takeMaintenanceNote } from "@chest/runtime/maintenance-note";
import { listBackups, openSqliteEngine } from "@chest/store-sqlite";

import { aCall, openLlmStandIn, testEngine, testPorts, transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "./config.ts";
import { openLocal } from "./local.ts";
import { openLog } from "./log.ts";
import type { ToolBackend } from "./memory-backend.ts";

const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content: "the deploy goes through blue",
};
const log = openLog("silent");
const { embedding, place: usual } = readConfig({ CHEST_DATA_DIR: "/x" });
if (usual.mode !== "local") throw new Error("a store on this PC is the default");

it("opens its store at the first call, once, and closes it", async () => {
  const engine = await testEngine({ clock: systemClock });
  const close = vi.spyOn(engine, "close");
  const openEngine = vi.fn(async () => engine);
  const place = openLocal(usual, { embedding, limits: DEFAULT_LIMITS, log, openEngine });

  place.start();
  expect(openEngine).not.toHaveBeenCalled();
  await Promise.all([
    place.executor.execute("chest_remember", A_FACT, aCall()),
    place.executor.execute("chest_recall", { query: "blue" }, aCall()),
  ]);
  const found = await place.executor.execute("chest_recall", { query: "deploy" }, aCall());
  await place.close();

  expect(found).toMatchObject({ ok: true });
  expect(openEngine).toHaveBeenCalledExactlyOnceWith(usual, log, BUILTIN_IDENTITY);
  expect(close).toHaveBeenCalledOnce();
});

it("says why a store does not open, and tries again at the next call", async () => {
  const openEngine = vi
    .fn(async () => await testEngine({ clock: systemClock }))
    .mockRejectedValueOnce(Object.assign(new Error("the file is of a newer release"), { hint: "update" }));
  const place = openLocal(usual, { embedding, limits: DEFAULT_LIMITS, log, openEngine });
  const call = () => place.executor.execute("chest_list_entities", {}, aCall());

  await expect(call()).rejects.toEqual(
    new ChestError("UNAVAILABLE", "the file is of a newer release", { hint: "update" }),
  );
  expect(await call()).toMatchObject({ ok: true });
});

it.each([
  ["auto", true],
  ["true", true],
  ["false", false],
])(
  "embeds here, where nobody else would, unless told not to: CHEST_CLIENT_EMBED=%s",
  async (choice, embeds) => {
    const active = identityOf(FIXTURE_EMBEDDER);
    const engine = await testEngine({ clock: systemClock, active });
    const env = { CHEST_CLIENT_EMBED: choice, ...FIXTURE_ENV, CHEST_MODELS_DIR: await fixtureModels() };
    const place = openLocal(usual, {
      embedding: readConfig(env).embedding,
      limits: DEFAULT_LIMITS,
      log,
      openEngine: async () => engine,
    });
    await place.executor.execute("chest_remember", A_FACT, aCall());
    await place.finish(30_000);
    expect(await engine.as(aCall()).memories.countPending("everywhere", active)).toBe(embeds ? 0 : 1);
    await place.close();
  },
  40_000,
);

describe("a store beside the agent", () => {
  let dir: string;
  let place: ToolBackend;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-local-"));
  });
  afterEach(async () => {
    await place.close();
    await rm(dir, { recursive: true, force: true });
  });

  const dbPath = () => join(dir, "chest.db");
  const backups = () => join(dir, "backups");
  const DAY_MS = 86_400_000;

  /** Opens the store as a session of today does, and looks at it once maintenance has run or will not. */
  function session(env: Record<string, string> = {}) {
    const config = readConfig({ CHEST_DATA_DIR: dir, CHEST_EMBED_MODEL: "none", ...env });
    if (config.place.mode !== "local") throw new Error("not local");
    place = openLocal(config.place, { ...config, log, tendAfterMs: 0 });
    place.start();
  }

  const withStore = async <T>(work: (engine: Engine) => Promise<T>, clock: Clock = systemClock): Promise<T> => {
    const engine = await openSqliteEngine({ path: dbPath(), clock });
    try {
      return await work(engine);
    } finally {
      await engine.close();
    }
  };

  /** Fills it with memories whose lifetime is over; the last write was yesterday. */
  const fill = (count: number) =>
    withStore(async (engine) => {
      const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock: yesterday });
      for (let at = 0; at < count; at++)
        await executor.execute(
          "chest_remember",
          { ...A_FACT, content: `port ${at}`, expires_at: Math.floor(Date.now() / 1000) - 3600 },
          aCall(),
        );
    }, yesterday);
  const yesterday = { now: () => new Date(Date.now() - DAY_MS) };

  const runsOf = () => withStore(({ lifecycle }) => lifecycle.journal.runs(5));
  const archived = () => withStore(async ({ inspect }) => (await inspect.summary()).archived);
  const ended = () => expect.poll(async () => (await runsOf())[0]?.outcome, { timeout: 20_000 }).toBe("done");

  it("is maintained at a start, with a backup before the first run and within the limit of one start", async () => {
    await fill(6);
    session({ CHEST_FORGET_SWEEP_CAP: "4" });
    await ended();
    expect(await archived()).toBe(4);
    expect((await listBackups(backups())).map(({ memories }) => memories)).toEqual([6]);
    expect(takeMaintenanceNote(dbPath())).toMatchObject({ runs: [1], archived: { expiry: 4 } });
    expect(takeMaintenanceNote(dbPath())).toBeUndefined();
  });

  it("is left alone where an operator says so, and where there is none it is not made", async () => {
    session();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(existsSync(dbPath())).toBe(false);
    await place.close();
    await fill(1);
    session({ CHEST_AUTO_MAINTENANCE: "off" });
    await place.executor.execute("chest_recall", { query: "port" }, aCall());
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await runsOf()).toEqual([]);
  });

  it("is not maintained before it has a copy", async () => {
    await fill(2);
    session({ CHEST_BACKUP_DIR: join(dbPath(), "no-folder") });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(await archived()).toBe(0);
  });

  it("asks a configured model once what the last session taught", async () => {
    const project = "host/org/lighthouse";
    await withStore(async (engine) => {
      const { user, says, edits } = transcriptOf("ended");
      const lines = [
        user("Why does the export die?"),
        says("It reads all rows."),
        edits("/a/export.ts"),
        user("Mend it."),
      ];
      const caller = localCaller(project);
      const store = engine.as({ ...aCall(), caller });
      const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
      await captureTranscript(() => linesOf(text), { session: "ended" }, { store, clock: systemClock }, caller);
      await onSessionEnd({ session_id: "ended" }, store, caller);
    });
    const model = await openLlmStandIn();
    const lesson =
      "The export of the lighthouse reads all rows at once; above two million it needs pages of five hundred.";
    model.reply = ({ text }) =>
      JSON.stringify([{ content: lesson, sources: [Number(/memory:(\d+)/.exec(text)?.[1])] }]);
    const env = { CHEST_LLM_PROVIDER: "openai", CHEST_LLM_URL: model.url, CHEST_LLM_MODEL: "stand-in" };
    const found = async () => {
      const call = { ...aCall(), caller: localCaller(project) };
      const { memories } = await place.executor.execute("chest_recall", { query: "lighthouse export pages" }, call);
      return (memories as { content: string }[]).map(({ content }) => content);
    };
    for (const _ of ["the next start", "the one after it"]) {
      session({ ...env, CHEST_AUTO_MAINTENANCE: "off" });
      await expect.poll(found, { timeout: 20_000 }).toContain(lesson);
      await place.close();
    }
    expect(model.asked).toHaveLength(1);
    await model.close();
  });
});
