import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { captured } from "../testing/captured.ts";
import { makeForeignExports } from "../testing/foreign-exports.ts";

// Each command opens a store, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-markdown-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const here = () => ({ CHEST_DATA_DIR: join(dir, "here") });
const there = () => ({ CHEST_DATA_DIR: join(dir, "there") });
const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

it("writes a readable file for each memory, and imports them unchanged, once", async () => {
  const exports = makeForeignExports(join(dir, "exports"));
  for (const format of ["context-memory", "claude-mem-lite"]) {
    await captured(`import --from ${format} ${exports.find((each) => each.format === format)?.path}`, here());
  }
  const out = join(dir, "out");
  expect(await captured(`export --format markdown --out ${out}`, here())).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("exported 4 memories"),
  });
  const names = files(out);
  expect(names).toHaveLength(4);
  expect(names.every((name) => (statSync(name).mode & 0o777) === 0o600)).toBe(true);
  const token = readFileSync(names.find((name) => name.endsWith("tokens-live-fifteen-minutes.md")) ?? "", "utf8");
  expect(token).toMatch(/^---\nlayer: learning\ncategory: decision\nentity: app\n/);
  expect(token).toMatch(/tags:\n {2}- auth\n/);
  expect(token).toContain("path: src/auth.rs\n    line: 42\n");
  expect(token.endsWith("---\ntokens live fifteen minutes\n")).toBe(true);

  const back = JSON.parse((await captured(`import --from markdown ${out} --json`, there())).stdout);
  expect(back).toMatchObject({ memories: { inserted: 4, left: 0 }, left: [], exit_code: 0 });
  const again = JSON.parse((await captured(`import --from markdown ${out} --json`, there())).stdout);
  expect(again.memories).toMatchObject({ inserted: 0, unchanged: 4 });
  expect(JSON.parse((await captured(`import --from markdown ${out} --json`, here())).stdout).memories.unchanged).toBe(
    4,
  );

  const second = join(dir, "second");
  await captured(`export --format markdown --out ${second}`, there());
  const textOf = (folder: string) =>
    files(folder).map((name) => readFileSync(name, "utf8").replace(/^author: .*\n/m, ""));
  expect(textOf(second).toSorted()).toEqual(textOf(out).toSorted());
});

it("keeps conditions and names, and names a condition that it cannot read", async () => {
  const [said, tide] = ["match_keys(['tide'])&&!match_keys(['test'])", '{"any":["ferry"],"hours":[7,8]}'];
  for (const [name, trigger] of [
    ["tide-table", said],
    ["ferry", tide],
  ])
    await captured(`remember the-${name}-hangs-there --name ${name} --trigger ${trigger}`, here());
  const out = join(dir, "out");
  await captured(`export --format markdown --out ${out}`, here());
  writeFileSync(join(out, "odd.md"), "---\ntrigger: process.exit()\n---\nthe odd note");
  writeFileSync(join(out, "yaml.md"), "---\ntrigger:\n  any: [gate]\n---\nthe gate is shut at night");
  const { left } = JSON.parse((await captured(`import --from markdown ${out} --json`, there())).stdout);
  expect(left).toMatchObject([{ what: "trigger", reason: "it is no condition" }]);
  const { items } = JSON.parse((await captured("inspect triggers --json", there())).stdout);
  const conditions = items.map(({ name, trigger }: { name?: string; trigger: unknown }) => [name, trigger]);
  expect(conditions.toSorted()).toMatchInlineSnapshot(`
    [
      [
        undefined,
        {
          "any": [
            "gate",
          ],
        },
      ],
      [
        "ferry",
        {
          "any": [
            "ferry",
          ],
          "hours": [
            7,
            8,
          ],
        },
      ],
      [
        "tide-table",
        "match_keys(['tide'])&&!match_keys(['test'])",
      ],
    ]
  `);
});

it("writes into no folder with content, and only into a folder", async () => {
  const [markdown] = makeForeignExports(join(dir, "exports")).filter(({ format }) => format === "markdown");
  await captured(`import --from markdown ${markdown?.path}`, here());
  const full = join(dir, "full");
  mkdirSync(full);
  writeFileSync(join(full, "mine.txt"), "mine");
  const refused = await captured(`export --format markdown --out ${full}`, here());
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
  expect(readdirSync(full)).toEqual(["mine.txt"]);
  expect((await captured("export --format markdown", here())).stderr).toContain("needs a folder");
  expect((await captured("export --format csv --out x", here())).stderr).toContain("is not a format");
});

it("imports nothing that a link leads to", async () => {
  const [notes, elsewhere] = [join(dir, "notes"), join(dir, "elsewhere")];
  for (const folder of [join(notes, "below"), elsewhere]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(notes, "below", "own.md"), "what the folder says");
  writeFileSync(join(elsewhere, "other.md"), "what another folder says");
  symlinkSync(elsewhere, join(notes, "folder"));
  symlinkSync(join(elsewhere, "other.md"), join(notes, "file.md"));
  const { stdout } = await captured(`import --from markdown ${notes} --json`, here());
  expect(JSON.parse(stdout).memories).toMatchObject({ inserted: 1, left: 0 });
  expect((await captured("recall says", here())).stdout).toContain("what the folder says");
});
