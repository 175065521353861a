import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aCall } from "@chest/testing";
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import { openSqliteEngine, type SqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-late-"));
let engine: SqliteEngine;
// The thread of a new engine starts with the first question: it cannot answer before the deadline is over.
beforeEach(async () => {
  engine = await openSqliteEngine({ path: join(folder, "chest.db"), searchTimeoutMs: 1 });
});
afterEach(() => engine.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each<[string, () => Promise<unknown>]>([
  ["a census of the rows", () => engine.host.census()],
  ["a sum by days", () => engine.as(aCall()).memories.activity("everywhere", new Date(0))],
  ["a sum of openings", () => engine.as(aCall()).listings.openings("everywhere", new Date(0))],
])("%s that comes too late is a refusal that says when to ask again", async (_, ask) => {
  await expect(ask()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: expect.stringContaining("try again"),
    details: { retry_after_ms: expect.any(Number) },
  });
});
