import { readdirSync } from "node:fs";
import { Outbox, openOutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";
import type { Executor } from "@chest/core/executor";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aFact } from "../support/clients/lone-client.ts";
import { canMount, type Disk, mountDisk } from "../support/deployment/disk.ts";

describe.skipIf(!canMount)("an outbox on a small disk (needs root to mount one)", () => {
  let disk: Disk;
  let isAway = true;
  let hasKeys = true;
  let outbox: Outbox;
  const stored: string[] = [];
  const far: Executor = {
    async execute(_name, input) {
      const details = { may_have_arrived: false };
      if (isAway) throw new ChestError("BACKEND_UNREACHABLE", "no answer: nothing listens there", { details });
      stored.push((input as { content: string }).content);
      return { ok: true, memory_id: stored.length };
    },
  };

  beforeEach(() => {
    disk = mountDisk(1);
    [isAway, hasKeys] = [true, true];
    stored.length = 0;
    outbox = new Outbox({
      folder: openOutboxFolder(disk.path),
      url: "http://far.example",
      backend: far,
      tools: TOOLS,
      limits: DEFAULT_LIMITS,
      log: { info: () => {}, warn: () => {} },
      sender: async () => ({ member: "alice", token: "t" }),
      honoursKeys: async () => (isAway ? undefined : hasKeys),
    });
  });
  afterEach(async () => {
    await outbox.close();
    disk.unmount();
  });

  const remember = (content: string) => outbox.execute("chest_remember", aFact(content), aCall());
  const files = () => readdirSync(disk.path).filter((name) => name !== "filler");

  it("is drained although it is full, which frees space", async () => {
    for (const content of ["one", "two", "three"]) await remember(content);
    disk.fill();
    isAway = false;

    expect(await outbox.drain()).toBe("done");

    expect(stored).toEqual(["one", "two", "three"]);
    expect(files()).toEqual([]);
  });

  it("leaves no lock behind that could not be written, where a backend ignores keys", async () => {
    await remember("one");
    disk.fill();
    [isAway, hasKeys] = [false, false];

    expect(await outbox.drain()).toBe("paused");
    expect(files()).toEqual([expect.stringMatching(/\.json$/)]);

    disk.free();
    expect(await outbox.drain()).toBe("done");
    expect(stored).toEqual(["one"]);
  });

  it.each([
    ["full", "ENOSPC", () => disk.fill(), "make room"],
    ["read-only", "EROFS", () => disk.makeReadOnly(), "writable"],
  ])("is reported where it is %s and the backend is away", async (_, reason, spoil, mend) => {
    await remember("one");
    spoil();

    await expect(remember("x".repeat(7000))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching(
        new RegExp(`^(no answer|the backend does not answer).*${disk.path}.*\\(${reason}\\)$`),
      ),
      hint: expect.stringContaining(mend),
    });
    expect(files()).toHaveLength(1);
  });
});
