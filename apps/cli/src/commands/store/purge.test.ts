import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

// Concatenated, so that secret scanners do not report this file.
const SECRET = ["gh", "p_", "R2d2".repeat(9)].join("");

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-purge-"));
  path = join(dir, "chest.db");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });
const holds = (word: string) =>
  readdirSync(dir)
    .filter((name) => name.startsWith("chest.db"))
    .some((name) => readFileSync(join(dir, name)).includes(word));

async function store(contents: readonly string[], session?: string, projectKey?: string): Promise<number[]> {
  const engine = await openSqliteEngine({ path });
  const caller = localCaller(undefined, { name: "t", version: "1", session });
  const call = { caller, requestId: "r", signal: new AbortController().signal };
  const ids = await engine.as(call).write(async (tx) => {
    const { entity } = await tx.entities.findOrAdd({
      name: "acme",
      kind: "project",
      key: undefined,
      visibility: "team",
      projectKey: undefined,
    });
    const made: number[] = [];
    for (const content of contents) {
      const text = { content, contentHash: content, contentSha1: content, words: content, grams: "" };
      const rest = { layer: "learning", tags: [], importance: 0.5, visibility: "team", projectKey } as const;
      made.push((await tx.memories.add({ entity, text, ...rest, expiresAt: undefined, hasOwnExpiry: false })).id);
    }
    return made;
  });
  await engine.close();
  return ids;
}

describe("chest-index purge", () => {
  it("shows what would be deleted, and deletes it only when told to", async () => {
    const [id, other] = await store(["the quokka memory", "the other memory"]);

    const preview = await type(`purge --id ${id}`);
    expect(preview).toMatchObject({
      code: 0,
      stdout: `would purge 1 memory: ${id}\nnothing was done; pass --yes to do it\n`,
    });
    expect(holds("quokka")).toBe(true);
    const done = await type(`purge --id ${id} --yes --json`);
    expect(JSON.parse(done.stdout)).toEqual({
      confirmed: true,
      purged: [id],
      derived: [],
      backups_with_copies: [],
      log_clean: true,
    });
    expect([holds("quokka"), holds("other memory")]).toEqual([false, true]);
    expect(JSON.parse((await type(`audit --memory ${id} --op purge --json`)).stdout)).toMatchObject([
      { outcome: "ok", member: "local" },
      { outcome: "begun", member: "local" },
    ]);
    expect((await type(`purge --session none --yes`)).stdout).toBe("purged 0 memories\n");
    expect(other).toBeGreaterThan(0);
  });

  it("deletes a session, and refuses unreadable arguments", async () => {
    const ids = await store(["one", "two"], "s-9");
    expect((await type("purge --session s-9")).stdout).toContain(`would purge 2 memories: ${ids.join(", ")}`);
    for (const words of ["purge", "purge --id 1 --session s", "purge --id one", "purge --member nobody --yes"]) {
      expect((await type(words)).code).toBe(2);
    }
  });
});

describe("chest-index scan", () => {
  /** Stores a text as an older release would have. */
  async function storeSecretly(): Promise<number> {
    const [id] = await store([`deploys use ${SECRET} for the registry`, "an innocent sentence"]);
    return id ?? 0;
  }

  it("says where a secret is and of which kind, and never shows it", async () => {
    const id = await storeSecretly();

    const { code, stdout } = await type("scan --json");

    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toEqual([{ memory_id: id, field: "content", category: "github", count: 1 }]);
    expect(stdout).not.toContain(SECRET.slice(0, 8));
    expect((await type("scan --fix redact")).stdout).toContain("nothing was changed");
    expect(holds(SECRET)).toBe(true);
  });

  it("finds secrets in keys of projects and ids of sessions, and removes them", async () => {
    await store(["an innocent sentence"], SECRET, `host/${SECRET}`);

    const { code, stdout } = await type("scan --json");

    expect(code).toBe(1);
    const fields = JSON.parse(stdout).findings.map(({ field }: { field: string }) => field);
    expect(new Set(fields)).toEqual(new Set(["project", "session id"]));
    expect((await type("scan --fix redact --yes")).code).toBe(0);
    expect(holds(SECRET)).toBe(false);
    expect((await type("scan")).code).toBe(0);
  });

  it("finds secrets by form, by name or by sentence", async () => {
    await store([
      `in the deploy job we use gl${"sa_"}${"a1".repeat(16)}_${"0f".repeat(4)}`,
      `the signing key is ${"7f".repeat(32)}`,
      `the password for staging is ${"QwXz"}${"LmTrBpKd"}`,
    ]);

    const { stdout } = await type("scan --json");

    const kinds = JSON.parse(stdout).findings.map(({ category }: { category: string }) => category);
    expect(kinds.toSorted()).toEqual(["monitoring", "prose", "prose"]);
    expect((await type("scan --fix redact --yes")).code).toBe(0);
    expect((await type("scan")).code).toBe(0);
  });

  it.each(["redact", "purge"])("removes them by --fix %s, down to the bytes of the file", async (how) => {
    const id = await storeSecretly();

    expect((await type(`scan --fix ${how} --yes`)).code).toBe(0);

    expect(holds(SECRET)).toBe(false);
    const engine = await openSqliteEngine({ path });
    const left = await engine
      .as({ caller: localCaller(undefined), requestId: "r", signal: AbortSignal.abort() })
      .memories.byId(id);
    await engine.close();
    expect(left?.content).toBe(how === "purge" ? undefined : "deploys use [REDACTED] for the registry");
    expect(await type("scan")).toMatchObject({ code: 0, stdout: expect.stringContaining("no secrets") });
  });

  it.each(["scan --fix away", "scan --fix"])("refuses `%s`", async (words) => {
    await storeSecretly();
    expect((await type(words)).code).toBe(2);
  });
});
