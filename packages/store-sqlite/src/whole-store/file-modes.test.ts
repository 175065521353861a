import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aCall } from "@chest/testing";
import { afterAll, describe, expect, it } from "vitest";
import { readMigrations } from "../database/migrations.ts";
import { openSqliteEngine } from "../index.ts";

const root = mkdtempSync(join(tmpdir(), "chest-modes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const mode = (path: string) => (statSync(path).mode & 0o7777).toString(8);
const modesIn = (folder: string) => new Set(readdirSync(folder).map((name) => mode(join(folder, name))));

async function openWith(umask: number, folder: string, work?: () => void): Promise<void> {
  const before = process.umask(umask);
  try {
    const path = join(folder, "chest.db");
    const engine = await openSqliteEngine({ path });
    await engine
      .as(aCall())
      .write((tx) =>
        tx.entities.findOrAdd({ name: "a", kind: "file", key: undefined, visibility: "team", projectKey: undefined }),
      );
    work?.();
    await engine.close();
  } finally {
    process.umask(before);
  }
}

describe("the files of a store", () => {
  it.each([0o000, 0o022, 0o077, 0o777])(
    "are their owner's alone under umask %o, and so is the folder",
    async (umask) => {
      const folder = join(root, `umask-${umask}`, "data");
      mkdirSync(join(folder, ".."), { recursive: true });
      await openWith(umask, folder, () => {
        expect(readdirSync(folder)).toEqual(
          expect.arrayContaining(["chest.db", "chest.db-wal", "chest.db-shm", "chest.db.lock"]),
        );
        expect([mode(folder), modesIn(folder)]).toEqual(["700", new Set(["600"])]);
      });
      expect(modesIn(folder)).toEqual(new Set(["600"]));
    },
  );

  it("are closed when they were open to others before", async () => {
    const folder = join(root, "open");
    await openWith(0o022, folder);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "chest.db"), 0o644);
    chmodSync(join(folder, "chest.db.lock"), 0o644);
    await openWith(0o022, folder, () => expect([mode(folder), modesIn(folder)]).toEqual(["700", new Set(["600"])]));
  });

  it("and its backups are closed too", async () => {
    const folder = join(root, "backups");
    await openWith(0o000, folder);
    const next = { name: "0900_next", sql: "CREATE TABLE next (id INTEGER)", sha256: "x" };
    const before = process.umask(0o000);
    await (await openSqliteEngine({ path: join(folder, "chest.db"), migrations: [...readMigrations(), next] })).close();
    process.umask(before);
    expect([mode(join(folder, "backups")), modesIn(join(folder, "backups"))]).toEqual(["700", new Set(["600"])]);
  });

  it("in a folder that everybody shares leave that folder as it is", async () => {
    const shared = join(root, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    await openWith(0o022, shared, () => expect(modesIn(shared)).toEqual(new Set(["600"])));
    expect(mode(shared)).toBe("1777");
  });
});
