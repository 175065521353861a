import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { localCaller } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { captured } from "../../testing/captured.ts";

vi.setConfig({ testTimeout: 30_000 });

const DAY_MS = 86_400_000;
const HOLDER = fileURLToPath(new URL("../../testing/lease-holder.ts", import.meta.url));

let dir: string;
let path: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-up-"));
  path = join(dir, "chest.db");
  await storedLongAgo();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir, CHEST_AUTO_CONSOLIDATE: "all" });
const json = async (words: string) => JSON.parse((await type(`${words} --json`)).stdout);

/** Stores three cold memories on one topic, an expired one, an unused one and a protected one. */
async function storedLongAgo(): Promise<void> {
  const clock = { now: () => new Date(Date.now() - 120 * DAY_MS) };
  const engine = await openSqliteEngine({ path, clock });
  const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock });
  const soon = Math.floor(Date.now() / 1000) + 1000 * 86_400;
  const facts = [
    ...["amber", "birch", "cedar"].map((word) => ({
      layer: "context",
      content: `nightly build of the gateway failed on the ${word} runner`,
      expires_at: soon,
    })),
    { layer: "emotion", content: "somebody is glad today" },
    { layer: "learning", content: "a long unused decision" },
    { layer: "realize", content: "never push on a friday" },
  ];
  for (const fact of facts) {
    const input = { entity_name: "acme", entity_kind: "project", ...fact };
    await executor.execute("chest_remember", input, aCall({ caller: localCaller(undefined) }));
  }
  await engine.close();
}

async function liveCount(): Promise<number> {
  return (await json("status")).store.live;
}

const changedIn = ({ phases }: { phases: { name: string; changed: number }[] }) =>
  Object.fromEntries(phases.map(({ name, changed }) => [name, changed]));

describe("chest-index up", () => {
  it.each([
    ["decay", ["conversations", "confidence", "expiry", "forgetting", "momentum", "prune"]],
    ["prune", ["prune"]],
    ["dedup", ["supersession"]],
    ["compress", ["consolidation", "digest"]],
  ])("accepts the names that other systems give to some of its passes: %s", async (name, passes) => {
    const { phases, check } = await json(`${name} --check`);
    expect(check).toBe(true);
    expect(phases.map((phase: { name: string }) => phase.name).toSorted()).toEqual(passes.toSorted());
    expect((await type(`help ${name}`)).stdout).toContain("Run maintenance now");
  });

  it("prunes only when that pass is named", async () => {
    await type("up --pass confidence");
    const [named, all] = [await json("up --check --pass prune"), await json("up --check")];
    const prune = ({ phases }: { phases: { name: string }[] }) => phases.find(({ name }) => name === "prune");
    expect([prune(named), prune(all)]).toMatchObject([{ changed: 5 }, { changed: 0, scanned: 0 }]);
  });

  it("says what it would do, changes nothing, does it, shows it in status, and is undone", async () => {
    const preview = await json("up --check");
    expect(changedIn(preview)).toMatchObject({ expiry: 1, consolidation: 3, forgetting: 1, supersession: 0 });
    expect(preview).toMatchObject({ check: true, run_id: null, exit_code: 0 });
    expect(await liveCount()).toBe(6);
    expect((await json("status")).maintenance).toEqual({ last_at: null, state: "none", lease: "free", report: [] });

    const done = await json("up");
    expect(changedIn(done)).toMatchObject({ expiry: 1, consolidation: 3, forgetting: 1, supersession: 0 });
    expect(await liveCount()).toBe(2);
    expect((await json("status")).maintenance).toMatchObject({
      run_id: done.run_id,
      state: "done",
      trigger: "operator",
    });
    expect((await type("status")).stdout).toMatch(/maintenance: run 1 at .*, done: .*consolidation 3/);

    const undone = await json(`unarchive --run ${done.run_id} --pass consolidation`);
    expect(undone).toMatchObject({ restored: [1, 2, 3], skipped: [] });
    expect(undone.undone).toHaveLength(1);
    expect((await type(`unarchive --run ${done.run_id}`)).code).toBe(1);
    expect(await liveCount()).toBe(6);
    expect(changedIn(await json("up"))).toMatchObject({ expiry: 0, consolidation: 0, forgetting: 0 });
  });

  it("runs the passes that are named", async () => {
    const { phases } = await json("up --pass expiry,retention --activation");
    expect(phases.map(({ name }: { name: string }) => name)).toEqual(["activation", "expiry", "retention"]);
    const text = (await type("up --check --decay")).stdout;
    expect(text).toMatch(/^what maintenance would do\nmomentum .*\nconfidence .*\nexpiry .*\nforgetting /);
  });

  it("restores memories by ids and by reason", async () => {
    await type("up");
    const [id] = (await json("unarchive --reason dropped --since 1d")).restored;
    expect(id).toBe(5);
    const again = await type(`unarchive ${id},999`);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stdout).toBe("0 restored\n5: was not archived\n999: not found\n");
  });

  it.each([
    ["up --pass nonsense", "unknown pass `nonsense`"],
    ["unarchive", "name what to restore, in one way"],
    ["unarchive 1 --run 2", "name what to restore, in one way"],
    ["unarchive 0", "is not a whole number above 0"],
    ["unarchive --run x", "is not a whole number above 0"],
    ["unarchive --run 77", "maintenance run 77 not found"],
    ["unarchive --consolidation 1", "consolidation 1 not found"],
    ["unarchive --reason bored", "unknown reason `bored`"],
    ["unarchive --reason cold --since soon", "is not a time"],
    ["unarchive 1 --pass expiry", "`--pass` needs a run"],
    ["unarchive 1 --since 7d", "`--since` needs a reason"],
  ])("`%s` fails with a reason", async (words, message) => {
    const { code, stdout, stderr } = await type(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("hint: ");
  });

  it("does not wait for a running process, and starts at once when that one was killed", async () => {
    const holder = spawn(process.execPath, [HOLDER, path], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const refused = await type("up");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("maintenance is already running");
    expect((await json("status")).maintenance).toMatchObject({ state: "running" });
    expect((await type("up --check")).code).toBe(0);

    const ended = new Promise((resolve) => holder.once("close", resolve));
    holder.kill("SIGKILL");
    await ended;
    expect((await json("status")).maintenance).toMatchObject({ state: "interrupted" });
    // No process id is stored, since another process could get the same number.
    expect(statSync(`${path}.maintenance`).size).toBe(0);
    expect((await type("up")).code).toBe(0);
  });
});
