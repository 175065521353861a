import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { localCaller, openAccessAdmin } from "@chest/core/access";
import { archiveLines } from "@chest/core/archive";
import { localExecutor } from "@chest/core/pipeline";
import { type Engine, systemClock } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { openPostgresEngine } from "@chest/store-postgres";
import { hasPostgres, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

const ALICE = { ...localCaller("host/org/apple"), member: { id: 12, name: "alice" } };
const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres())("chest-index beside a database", () => {
  let server: TestServer;
  let folder: string;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "chest-database-"));
    url = await server.database();
  }, PATIENCE_MS);
  afterEach(() => {
    server.giveBack(url);
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (name: string) => join(folder, name);
  const inDatabase = (words: string) => captured(words, { CHEST_DATABASE_URL: url, CHEST_DATA_DIR: folder });
  const inFile = (words: string) => captured(words, { CHEST_DATA_DIR: folder });
  const recordsIn = (name: string) => readFileSync(file(name), "utf8").trim().split("\n").slice(1, -1);

  it(
    "imports an archive of a file and exports it unchanged, so that each engine reads the other's",
    async () => {
      const engine = await openSqliteEngine({ path: file("chest.db") });
      await fill(engine);
      await engine.close();
      expect(await inFile(`export --vectors --out ${file("of-file")}`)).toMatchObject({ code: 0 });

      const dry = await captured(`import --archive ${file("of-file")} --dry-run --json --database ${url}`, {});
      expect(dry).toMatchObject({ code: 2, stderr: expect.stringContaining("holds no store of this release yet") });
      await (await openPostgresEngine({ url })).close();
      const preview = await inDatabase(`import --archive ${file("of-file")} --dry-run --json`);
      const came = await inDatabase(`import --archive ${file("of-file")} --json`);
      const again = await inDatabase(`import --archive ${file("of-file")} --json`);
      const told = { memories: { inserted: 9, unchanged: 0, left: 0 }, links: 1, work: 1 };
      expect(JSON.parse(preview.stdout)).toMatchObject(told);
      expect(JSON.parse(came.stdout)).toMatchObject(told);
      expect(JSON.parse(again.stdout)).toMatchObject({ memories: { inserted: 0, unchanged: 9 }, links: 0, work: 0 });

      expect(await inDatabase(`export --vectors --out ${file("of-database")}`)).toMatchObject({ code: 0 });
      expect(recordsIn("of-database").map(comparable)).toEqual(recordsIn("of-file").map(comparable));
      const folderOf = await inDatabase(`export --format markdown --out ${file("notes")}`);
      expect(folderOf.stdout).toMatch(/exported 9 memories/);
      expect(await inDatabase("recall ledger")).toMatchObject({
        stdout: expect.stringContaining("harbour"),
      });
    },
    PATIENCE_MS,
  );

  it(
    "leaves out invalid records, imports the rest, and names the ones left out",
    async () => {
      const engine = await openSqliteEngine({ path: file("chest.db") });
      await fill(engine);
      await engine.close();
      await inFile(`export --out ${file("archive")}`);
      const records = recordsIn("archive").map((line) => JSON.parse(line));
      const [broken] = records.filter(({ type }) => type === "memory");
      broken.columns.importance = 7;
      const about = { release: "0", store_uid: "x", exported_at: "2026-01-01T00:00:00Z", vectors: false };
      await writeFile(file("broken"), Readable.from(archiveLines(about, records)));

      const came = await inDatabase(`import --archive ${file("broken")} --json`);
      expect(came.code).toBe(1);
      expect(JSON.parse(came.stdout)).toMatchObject({ memories: { inserted: 8, left: 1 } });
      expect(came.stdout).toContain("its values are invalid");
    },
    PATIENCE_MS,
  );

  it(
    "purges there and names the places with copies, counts, and refuses commands for a file",
    async () => {
      const engine = await openPostgresEngine({ url });
      await fill(engine);
      await engine.close();
      const purged = await inDatabase("purge --id 2 --yes");
      expect(purged).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/purged 1 memory: 2\n.*write-ahead log/s),
      });
      expect(await inDatabase("status")).toMatchObject({ stdout: expect.stringContaining("memories: 7 live") });
      expect(await inDatabase("stats")).toMatchObject({ code: 0 });
      for (const words of ["backup", "restore x --yes", "fts check"])
        expect(await inDatabase(words), words).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/names the database postgres:.*pg_dump/s),
        });
      const wrong = await captured("status", {
        CHEST_DATABASE_URL: `${url.replace("chest@", "chest:secret-word@")}-nowhere`,
      });
      expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no such database") });
      expect(wrong.stderr).not.toContain("secret-word");
    },
    PATIENCE_MS,
  );
});

/** Rounds vectors, since a database keeps 16 bits per number; everything else is compared exactly. */
function comparable(line: string): unknown {
  const record = JSON.parse(line);
  if (record.type !== "memory") return record;
  const vectors = record.vectors.map(({ vector, ...identity }: { vector: string }) => {
    const floats = new Float32Array(new Uint8Array(Buffer.from(vector, "base64")).buffer);
    return { ...identity, vector: [...Float16Array.from(floats)] };
  });
  return { ...record, vectors };
}

async function fill(engine: Engine): Promise<void> {
  const executor = localExecutor(TOOLS, engine, { ...testPorts(), clock: systemClock });
  const call = () => aCall({ caller: ALICE });
  await openAccessAdmin(engine.access, localCaller(undefined), systemClock).addMember({ name: "ben" });
  for (let nth = 1; nth <= 9; nth++)
    await executor.execute(
      "chest_remember",
      {
        ...{ entity_name: "acme", entity_kind: "project", layer: "learning", tags: nth % 2 ? ["ledger"] : [] },
        visibility: ["private", "project", "team"][nth % 3],
        content: `replica ${nth} of the ledger in harbour ${nth % 7}`,
        ...(nth === 9 ? { supersedes: [8] } : {}),
      },
      call(),
    );
  await executor.execute("chest_forget", { memory_id: 1 }, call());
  await executor.execute("chest_update_memory", { memory_id: 4, content: "replica four moved" }, call());
  await executor.execute("chest_update_memory", { memory_id: 3, add_links: ["related_to 6"] }, call());
  const { active } = await engine.identities.current();
  const vector = Float32Array.from({ length: active.dimensions }, (_, at) => Math.sin(at + 1));
  const store = engine.as(call());
  await store.write(async (tx) => {
    await tx.work.add({ title: "later", detail: undefined, priority: 2, files: [], projectKey: "host/org/apple" });
    const memory = await tx.memories.byId(5);
    if (memory) await tx.vectors.put(memory, active, vector);
  });
}
