import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "./integrity-check.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-vet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that goes on changing the schema of the file it is given, until it is ended. */
const CHANGES_SCHEMA = `
  import Database from "better-sqlite3";
  const db = new Database(process.argv[1], { timeout: 5000 });
  db.pragma("synchronous = OFF");
  console.log("changing");
  for (;;) db.exec("CREATE TABLE passing (id INTEGER)").exec("DROP TABLE passing");`;

describe("looking through a file", () => {
  it("finds it whole while another process changes its schema", async () => {
    const path = join(folder, "changing.db");
    const db = new Database(path);
    db.pragma("journal_mode = WAL");
    db.exec("CREATE VIRTUAL TABLE memory_fts USING fts5(content)");
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const changing = spawn(process.execPath, ["--input-type=module", "-e", CHANGES_SCHEMA, "--", path], { cwd });
    try {
      await once(changing.stdout, "data");
      const looks = Array.from({ length: 50 }, () => checkIntegrity(path));
      expect(new Set(looks)).toEqual(new Set(["whole"]));
    } finally {
      changing.kill("SIGKILL");
      await once(changing, "exit");
      db.close();
    }
  });
});
