import { ChestError } from "@chest/contracts";
import { BUILTIN_IDENTITY, DEFAULT_LIMITS, systemClock } from "@chest/core";
import { identityOf } from "@chest/models";
import { FIXTURE_EMBEDDER, FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import { aCall, testEngine } from "@chest/testing";
import { expect, it, vi } from "vitest";
import { readConfig } from "./config.ts";
import { openLocal } from "./local.ts";
import { openLog } from "./log.ts";

const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content: "the deploy goes through blue",
};
const log = openLog("silent");
const { embedding } = readConfig({});

it("opens its store at the first call, once, and closes it", async () => {
  const engine = await testEngine({ clock: systemClock });
  const close = vi.spyOn(engine, "close");
  const openEngine = vi.fn(async () => engine);
  const place = openLocal(
    { mode: "local", dbPath: "/x/chest.db" },
    { embedding, limits: DEFAULT_LIMITS, log, openEngine },
  );

  place.start();
  expect(openEngine).not.toHaveBeenCalled();
  await Promise.all([
    place.executor.execute("chest_remember", A_FACT, aCall()),
    place.executor.execute("chest_recall", { query: "blue" }, aCall()),
  ]);
  const found = await place.executor.execute("chest_recall", { query: "deploy" }, aCall());
  await place.close();

  expect(found).toMatchObject({ ok: true });
  expect(openEngine).toHaveBeenCalledExactlyOnceWith("/x/chest.db", log, BUILTIN_IDENTITY);
  expect(close).toHaveBeenCalledOnce();
});

it("says why a store does not open, and tries again at the next call", async () => {
  const openEngine = vi
    .fn(async () => await testEngine({ clock: systemClock }))
    .mockRejectedValueOnce(Object.assign(new Error("the file is of a newer release"), { hint: "update" }));
  const place = openLocal(
    { mode: "local", dbPath: "/x/chest.db" },
    { embedding, limits: DEFAULT_LIMITS, log, openEngine },
  );
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
    const place = openLocal(
      { mode: "local", dbPath: "/x/chest.db" },
      { embedding: readConfig(env).embedding, limits: DEFAULT_LIMITS, log, openEngine: async () => engine },
    );
    await place.executor.execute("chest_remember", A_FACT, aCall());
    await place.finish(30_000);
    expect(await engine.as(aCall()).memories.countPending("everywhere", active)).toBe(embeds ? 0 : 1);
    await place.close();
  },
  40_000,
);
