import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolsContract } from "@chest/testing";
import { afterAll } from "vitest";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-tools-"));
let count = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

toolsContract("SQLite", ({ clock, active }) => {
  count += 1;
  return openSqliteEngine({
    path: join(folder, `${count}.db`),
    clock,
    active,
    // The contract of engines searches in threads.
    searchThreads: 0,
    accessFlushMs: 20,
    // A busy machine is no failure of the engine.
    searchTimeoutMs: 30_000,
    synchronous: "NORMAL",
  });
});
