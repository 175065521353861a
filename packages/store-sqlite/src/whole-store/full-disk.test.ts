import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import type { Engine } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, testPorts } from "@chest/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const disk = mkdtempSync(join(tmpdir(), "chest-disk-"));
const path = join(disk, "data", "chest.db");
const filler = join(disk, "filler");

function mount(...options: readonly string[]): boolean {
  try {
    execFileSync("/bin/mount", [...options, disk], { stdio: "ignore" });
    return true;
  } catch {
    return false; // Only root may: elsewhere these tests are skipped, and say so.
  }
}
const unmount = () => execFileSync("/bin/umount", [disk]);
const canMount = mount("-t", "tmpfs", "-o", "size=80m", "tmpfs");
if (canMount) unmount();
afterAll(() => rmSync(disk, { recursive: true, force: true }));

/** Leaves so many bytes of the disk. */
function fill(leaving: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaving)));
}

describe.skipIf(!canMount)("on a disk of its own", () => {
  let engine: Engine | undefined;
  beforeEach(() => {
    mount("-t", "tmpfs", "-o", "size=80m", "tmpfs");
  });
  afterEach(async () => {
    await engine?.close();
    engine = undefined;
    unmount();
  });

  it("a full one refuses writes with a way out, leaves nothing half-written, goes on reading, and recovers", async () => {
    engine = await openSqliteEngine({ path });
    const ports = testPorts();
    const executor = localExecutor(TOOLS, engine, ports);
    const remember = (content: string) =>
      executor.execute(
        "chest_remember",
        { entity_name: "disk", entity_kind: "other", layer: "learning", content },
        aCall(),
      );
    const recall = (query: string) => executor.execute("chest_recall", { query, mark_accessed: false }, aCall());
    await remember("the first fits");
    fill(200_000);
    let stored = 1;
    const attempt = async (i: number) =>
      remember(`number ${i} ${"of many words ".repeat(400)}`).then(() => (stored += 1));
    const refusal = await (async () => {
      for (let i = 0; i < 500; i++) {
        const error = await attempt(i).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error) return error;
      }
      return undefined;
    })();
    expect(refusal).toMatchObject({ code: "STORAGE_FULL", status: 507, hint: expect.stringContaining("frees space") });
    expect(String(refusal)).not.toMatch(/SQLITE|chest\.db/);
    expect(await recall("first fits")).toMatchObject({ count: 1 });
    expect(await engine.inspect.summary()).toMatchObject({ live: stored, textRows: stored });
    rmSync(filler);
    await remember("after there is room again");
    expect(await recall("room again")).toMatchObject({ memories: [{ content: "after there is room again" }] });
    await engine.inspect.assertWritable();
    expect(await engine.inspect.summary()).toMatchObject({ live: stored + 1, textRows: stored + 1 });
  });

  it("one that is almost full is not started on, and is not ready", async () => {
    engine = await openSqliteEngine({ path });
    fill(10_000_000);
    await expect(engine.inspect.assertWritable()).rejects.toMatchObject({ code: "STORAGE_FULL" });
    await engine.close();
    await expect(openSqliteEngine({ path })).rejects.toMatchObject({
      name: "CannotOpen",
      message: expect.stringMatching(/\d+ MB free, 64 MB are needed/),
      hint: expect.any(String),
    });
  });

  it("one that is read-only is refused by its path, with a way out, whether it holds a store or not", async () => {
    await (await openSqliteEngine({ path })).close();
    mkdirSync(join(disk, "empty"));
    execFileSync("/bin/mount", ["-o", "remount,ro", disk]);
    for (const file of [path, join(disk, "empty", "chest.db"), join(disk, "new", "chest.db")]) {
      await expect(openSqliteEngine({ path: file })).rejects.toMatchObject({
        name: "CannotOpen",
        message: expect.stringContaining(join(file, "..")),
        hint: expect.stringContaining("CHEST_DATA_DIR"),
      });
    }
  });
});
