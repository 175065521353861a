import { chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aCall } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { backUpStore, openSqliteEngine, restoreStore } from "../index.ts";

const SERVICE = 65534;

// Only root may give a file away.
describe.runIf(process.getuid?.() === 0)("what root makes in the folder of a service", () => {
  let dir: string;
  let path: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "chest-owners-"));
    mkdirSync(join(dir, "data"));
    chownSync(join(dir, "data"), SERVICE, SERVICE);
    path = join(dir, "data", "chest.db");
    const engine = await openSqliteEngine({ path });
    await engine
      .as(aCall())
      .write((tx) =>
        tx.entities.findOrAdd({ name: "a", kind: "file", key: undefined, visibility: "team", projectKey: undefined }),
      );
    await engine.close();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const owners = () =>
    new Set(
      readdirSync(join(dir, "data"), { recursive: true }).map((name) => {
        const { uid, gid } = statSync(join(dir, "data", String(name)));
        return `${uid}:${gid}`;
      }),
    );
  const backUp = () => backUpStore({ path, folder: join(dir, "data", "copies", "daily"), reason: "manual" });

  it("is the service's: the store, its lock, a backup with its folder", async () => {
    await backUp();
    expect(owners()).toEqual(new Set([`${SERVICE}:${SERVICE}`]));
  });

  it("is the service's: a store that is restored, into an empty folder too", async () => {
    const { path: from } = await backUp();
    await restoreStore({ path, from });
    expect(owners()).toEqual(new Set([`${SERVICE}:${SERVICE}`]));

    copyFileSync(from, join(dir, "of-root.db"));
    chownSync(join(dir, "of-root.db"), 0, 0);
    for (const suffix of ["", ".closed", ".lock"]) rmSync(path + suffix, { force: true });
    await restoreStore({ path, from: join(dir, "of-root.db") });
    expect(owners()).toEqual(new Set([`${SERVICE}:${SERVICE}`]));
  });

  it("has the owner of the store that it replaces, whoever has the folder, unless that was root", async () => {
    const { path: from } = await backUp();
    chownSync(path, SERVICE - 1, SERVICE - 1);
    await restoreStore({ path, from });
    expect(statSync(path)).toMatchObject({ uid: SERVICE - 1, gid: SERVICE - 1 });

    chownSync(path, 0, 0);
    await restoreStore({ path, from });
    expect(statSync(path)).toMatchObject({ uid: SERVICE, gid: SERVICE });
  });
});
