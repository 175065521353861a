import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { captured } from "../testing/captured.ts";
import { type ForeignExport, makeForeignExports } from "../testing/foreign-exports.ts";

// Each command opens a store, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
let exports: readonly ForeignExport[];
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-foreign-"));
  exports = makeForeignExports(join(dir, "exports"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const FORMATS = ["claude-mem-lite", "context-memory", "memory-mcp", "doobidoo", "mem0", "basic-memory", "markdown"];

const exportOf = (format: string): ForeignExport => {
  const found = exports.find((each) => each.format === format);
  if (!found) throw new Error(`no export of ${format}`);
  return found;
};
const storeOf = (format: string) => ({ CHEST_DATA_DIR: join(dir, `store-${format}`) });
const type = (format: string, words: string) => captured(words, storeOf(format));
describe.each(FORMATS)("an export of %s", (format) => {
  const words = (more = "") => `import --from ${format} ${exportOf(format).path} ${more}`;

  it("is previewed without a store, and imported completely, once", async () => {
    const { memories, says } = exportOf(format);
    const preview = JSON.parse((await type(format, words("--dry-run --json"))).stdout);
    expect(preview).toMatchObject({ dry_run: true, from: format, memories: { inserted: memories, unchanged: 0 } });
    expect(existsSync(join(dir, `store-${format}`, "chest.db"))).toBe(false);

    expect(JSON.parse((await type(format, words("--json"))).stdout).memories.inserted).toBe(memories);
    expect(JSON.parse((await type(format, words("--json"))).stdout).memories).toMatchObject({
      inserted: 0,
      unchanged: memories,
    });
    expect((await type(format, "inspect recent --limit 50 --json")).stdout).toContain(says);
  });

  it("that was truncated is reported, and nothing of it is imported", async () => {
    const { file, path } = exportOf(format);
    const whole = readFileSync(file);
    const other = { CHEST_DATA_DIR: join(dir, `cut-${format}`) };
    // The cut is inside the front matter if there is any; a cut in the text below could not be detected.
    const end = whole.indexOf("\n---");
    truncateSync(file, end > 0 ? Math.floor(end / 2) : Math.floor(whole.length / 2));
    const { code, stderr } = await captured(`import --from ${format} ${path}`, other);
    writeFileSync(file, whole);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/is incomplete|cannot be read|nothing was imported|malformed|not a database/);
    expect(existsSync(join(other.CHEST_DATA_DIR, "chest.db"))).toBe(false);
  });
});

it("refuses a file of another system, and a folder where the format has none", async () => {
  const { path } = exportOf("mem0");
  const other = await captured(`import --from context-memory ${path}`, storeOf("none"));
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing that `context-memory` writes") });
  expect((await captured(`import --from mem0 ${dir}`, storeOf("none"))).stderr).toContain("is a folder");
});

it("keeps what the other system knew: kind, weight, tags, files, links, sources, triggers, archived state", async () => {
  const deadlock = JSON.parse((await type("claude-mem-lite", "recall deadlock --json")).stdout).memories[0];
  expect(deadlock).toMatchObject({
    title: "Deadlock in the pool",
    category: "bug",
    layer: "realize",
    importance: 0.85,
    entity: { name: "my--app", kind: "project" },
    tags: ["locking", "worker-pool"],
    links: [{ type: "related_to" }],
    content: expect.stringContaining("Lesson: take locks in one order"),
  });
  const [token] = JSON.parse((await type("context-memory", "inspect important --json")).stdout).items;
  expect(token).toMatchObject({
    category: "decision",
    importance: 0.75,
    confidence: 0.7,
    certainty: "definite",
    tags: ["auth"],
  });
  expect((await type("context-memory", "inspect archived")).stdout).toContain("sessions were cookies once");
  expect((await type("memory-mcp", "inspect triggers")).stdout).toContain("birthday");
  expect((await type("memory-mcp", "export")).stdout).toContain('"name":"birthday"');
  const left = JSON.parse(
    (await type("memory-mcp", `import --from memory-mcp ${exportOf("memory-mcp").path} --json`)).stdout,
  );
  expect(left).toMatchObject({ exit_code: 1 });
  expect(left.left.map(({ what }: { what: string }) => what).toSorted()).toEqual(["file", "trigger"]);
  expect((await type("basic-memory", "recall ethiopia --json")).stdout).toContain("related_to");
});
