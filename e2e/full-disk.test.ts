import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "./support/backend.ts";
import { canMount, type Disk, mountDisk } from "./support/disk.ts";
import { ask, type Door, restDoor } from "./support/doors.ts";
import { findFaults } from "./support/store-file.ts";

const aFact = (content: string) => ({ entity_name: "acme-api", entity_kind: "project", layer: "learning", content });

describe.skipIf(!canMount)("a disk that fills up while the backend runs (needs root to mount one)", () => {
  let disk: Disk;
  let backend: Backend;
  let door: Door;

  beforeAll(async () => {
    disk = mountDisk(80);
    backend = await startBackend({ dataDir: disk.path });
    door = restDoor(backend);
  });
  afterAll(async () => {
    await backend.stop();
    disk.unmount();
  });

  it("refuses writes with STORAGE_FULL, goes on reading, and writes again once there is room", async () => {
    const kept = await ask(door, "chest_remember", aFact("the blue cluster is in Frankfurt"));
    disk.fill();
    const stored: { id: unknown; content: string }[] = [];
    const refused = await fillUp(door, stored);
    expect(refused).toMatchObject({
      status: 507,
      error: { code: "STORAGE_FULL", hint: expect.stringMatching(/space/) },
    });

    const { memories } = await ask(door, "chest_recall", { query: "where is the blue cluster", limit: 1 });
    expect(memories).toMatchObject([{ id: kept.memory_id }]);
    expect((await fetch(`${backend.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${backend.url}/readyz`);
    expect([ready.status, ((await ready.json()) as { checks: object }).checks]).toMatchObject([503, { disk: "error" }]);

    disk.free();
    stored.push(await remembered(door, "there is room again"));
    expect((await fetch(`${backend.url}/readyz`)).status).toBe(200);
    const { entities } = await ask(door, "chest_list_entities", {});
    expect(entities).toMatchObject([{ memory_count: stored.length + 1 }]);
    for (const { id, content } of stored) {
      expect((await ask(door, "chest_recall", { ids: [id] })).memories).toMatchObject([{ content }]);
    }
    await backend.stop();
    expect(findFaults(join(disk.path, "chest.db"))).toEqual([]);
  });
});

async function remembered(door: Door, content: string): Promise<{ id: unknown; content: string }> {
  return { id: (await ask(door, "chest_remember", aFact(content))).memory_id, content };
}

/** Stores until a write is refused; gives that refusal. */
async function fillUp(door: Door, stored: { id: unknown; content: string }[]) {
  for (let at = 0; at < 5000; at++) {
    const content = `entry ${at} of the log book ${"y".repeat(7000)}`;
    const told = await door.call("chest_remember", aFact(content));
    if (told.error) return told;
    stored.push({ id: told.result?.memory_id, content });
  }
  throw new Error("a full disk took 5,000 memories");
}
