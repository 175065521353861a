import { DEFAULT_MAINTENANCE, previewPasses, runJournalled } from "@chest/core/lifecycle";
import type { Engine } from "@chest/core/ports";
import { fixedClock } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../index.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";

const PATIENCE_MS = 60_000;
const DAY_S = 86_400;

describe.skipIf(!hasPostgres())("retention", () => {
  const clock = fixedClock();
  let server: TestServer;
  let url: string;
  let engine: Engine;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database();
    engine = await openPostgresEngine({ url, clock });
  }, PATIENCE_MS);
  afterAll(async () => {
    await engine?.close();
    await server?.stop();
  }, PATIENCE_MS);

  it("Stale sessions abandoned after 24 h: gives a session up that nobody closed, after a day, and leaves a closed one as it is", async () => {
    const session = (id: string, status: string, seconds: number) => {
      const at = Math.floor(clock.now().getTime() / 1000) - seconds;
      return onceOn(
        url,
        `INSERT INTO sessions (id, status, member_id, started_at, last_seen_at) VALUES ('${id}', '${status}', 1, ${at}, ${at})`,
      );
    };
    await session("left", "active", DAY_S + 1);
    await session("at work", "active", DAY_S - 60);
    await session("closed", "closed", 9 * DAY_S);
    const maintenance = { ...DEFAULT_MAINTENANCE };
    const running = { trigger: "operator", signal: new AbortController().signal } as const;
    const run = async () =>
      (await runJournalled(engine.lifecycle, ["retention"], maintenance, running)).reports[0]?.changed;

    expect(await previewPasses(engine.lifecycle.sweeps, ["retention"], maintenance)).toMatchObject([
      { changed: 1, note: "sessions 1" },
    ]);
    expect(await run()).toBe(1);
    expect(await onceOn(url, "SELECT id, status FROM sessions ORDER BY id")).toEqual([
      { id: "at work", status: "active" },
      { id: "closed", status: "closed" },
      { id: "left", status: "abandoned" },
    ]);
    expect(await run()).toBe(0);
  });
});
