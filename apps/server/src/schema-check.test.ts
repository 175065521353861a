import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openPostgresEngine } from "@chest/store-postgres";
import { hasPostgres, startPostgres } from "@chest/store-postgres/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openSchemaCheck } from "./schema-check.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-schema-thread-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const store = { dbPath: join(folder, "chest.db"), database: undefined };

function program(name: string, code: string): URL {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, code);
  return pathToFileURL(path);
}

describe("the thread of the schema's check", () => {
  it("is reported as absent in a build without it", async () => {
    const check = openSchemaCheck(store, { program: pathToFileURL(join(folder, "none.js")) });
    expect(await check()).toMatchObject({ state: "absent", reason: expect.stringContaining("no Prisma client") });
  });

  it.each([
    [
      "throws",
      "throw Object.assign(new Error('secret'), { code: 'ERR_ODD' })",
      /^its thread ended with an error \(ERR_ODD\)$/,
    ],
    ["ends without a word", "process.exit(3)", /^its thread ended with code 3$/],
    ["hangs", "setInterval(() => undefined, 1000)", /^it took longer than 0\.2 s$/],
    ["takes all memory", "const all = []; for (;;) all.push(new Array(1e6).fill(0));", /\(ERR_WORKER_OUT_OF_MEMORY\)$/],
  ])("is reported as failed if it %s", async (name, code, reason) => {
    const patienceMs = name === "hangs" ? 200 : 20_000;
    const facts = await openSchemaCheck(store, { program: program(name.replaceAll(" ", "-"), code), patienceMs })();
    expect(facts).toMatchObject({ state: "failed", reason: expect.stringMatching(reason), tables: [] });
  });

  it("fails for a missing file, and creates none", async () => {
    expect(await openSchemaCheck(store)()).toMatchObject({ state: "failed" });
  });

  it("runs once for simultaneous callers, and again for the next one", async () => {
    const count = join(folder, "count");
    const code = `import { appendFileSync } from "node:fs"; import { parentPort } from "node:worker_threads";
      appendFileSync(${JSON.stringify(count)}, "+"); parentPort.postMessage({ state: "made" });`;
    const check = openSchemaCheck(store, { program: program("counts", code) });
    await Promise.all([check(), check(), check()]);
    expect(readFileSync(count, "utf8")).toBe("+");
    await check();
    expect(readFileSync(count, "utf8")).toBe("++");
  });
});

it.skipIf(!hasPostgres())(
  "checks a PostgreSQL database, with the password added to its address",
  { timeout: 60_000 },
  async () => {
    const server = await startPostgres();
    const url = await server.database();
    await (await openPostgresEngine({ url, pool: 4 })).close();
    const facts = await openSchemaCheck({
      ...store,
      database: { url, password: "p@ss", caFile: undefined, pool: 1 },
    })();
    await server.stop();
    expect(facts).toMatchObject({ state: "made", missing_tables: [], missing_columns: [], foreign_tables: [] });
    expect(facts.tables).toContainEqual({ name: "members", rows: 3 });
  },
);
