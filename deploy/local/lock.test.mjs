import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRace, withLock } from "./lock.mjs";

describe("the launcher's lock", () => {
  let dir;
  let folder;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "chest-lock-"));
    folder = join(dir, "lock");
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("lets one in at a time and tells the others that they wait", async () => {
    let inside = 0;
    let most = 0;
    let waited = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(50);
      inside--;
    };
    await Promise.all([1, 2, 3].map(() => withLock(folder, { onWait: () => waited++ }, work)));
    expect({ most, waited }).toEqual({ most: 1, waited: 2 });
  });

  it("is waited for only as long as there is work to do", async () => {
    let isDue = true;
    let isOver = false;
    const holder = withLock(folder, {}, async () => {
      while (!isOver) await sleep(10);
    });
    const waiter = withLock(folder, { isDue: () => isDue }, () => Promise.reject(new Error("done twice")));
    isDue = false;
    await expect(waiter).resolves.toBeUndefined();
    expect(existsSync(folder)).toBe(true);
    isOver = true;
    await holder;
  });

  it("is let go when the work fails", async () => {
    await expect(withLock(folder, {}, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(existsSync(folder)).toBe(false);
  });

  it("is taken over from a holder that died, by one only", async () => {
    mkdirSync(join(folder, "1"), { recursive: true });
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(join(folder, "1"), longAgo, longAgo);
    const order = [];
    const work = (name) => async () => {
      order.push(`${name} in`);
      await sleep(50);
      order.push(`${name} out`);
    };
    await Promise.all([withLock(folder, {}, work("a")), withLock(folder, {}, work("b"))]);
    expect(order).toEqual(["a in", "a out", "b in", "b out"]);
  });

  it("is not taken from a holder that lives", async () => {
    const held = withLock(folder, { staleMs: 1500 }, () => sleep(2500));
    let got = false;
    const waiting = withLock(folder, { staleMs: 1500 }, () => {
      got = true;
    });
    await sleep(2200);
    expect(got).toBe(false);
    await Promise.all([held, waiting]);
    expect(got).toBe(true);
  });
});

it.each([
  ["EEXIST", true, true],
  ["ENOENT", true, true],
  ["EPERM", false, true],
  ["EBUSY", false, true],
  ["ENOSPC", false, false],
])("another process was in between by %s: on Linux and macOS %s, on Windows %s", (code, onPosix, onWindows) => {
  expect([isRace(code, "linux"), isRace(code, "darwin"), isRace(code, "win32")]).toEqual([onPosix, onPosix, onWindows]);
});
