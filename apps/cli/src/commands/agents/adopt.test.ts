import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-adopt-"));
  file = join(dir, "CLAUDE.md");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(`${words} ${dir}`, { CHEST_DATA_DIR: join(dir, "data") });
const text = () => readFileSync(file, "utf8");

it.each([["# Rules\n\nBe kind.\n"], ["no line break at the end"], ["with\r\nwindows lines\r\n"]])(
  "adopt / unadopt: puts a marked block into %j, once, and restores the file byte for byte",
  async (before) => {
    writeFileSync(file, before);
    expect((await type("adopt --dry-run")).stdout).toContain("would be updated");
    expect(text()).toBe(before);
    expect((await type("adopt")).stdout).toContain("updated");
    const adopted = text();
    expect(adopted.startsWith(before)).toBe(true);
    expect(adopted).toContain("chest_recall");
    expect((await type("adopt")).stdout).toContain("unchanged");
    expect(text()).toBe(adopted);
    expect((await type("unadopt")).code).toBe(0);
    expect(text()).toBe(before);
    expect((await type("unadopt")).stdout).toContain("unchanged");
  },
);

it("makes the file where there is none, and takes it away again; what was written around the block since stays", async () => {
  await type("adopt");
  expect(existsSync(file)).toBe(true);
  await type("unadopt");
  expect(existsSync(file)).toBe(false);
  await type("adopt");
  writeFileSync(file, `${text()}Own words.\n`);
  await type("unadopt");
  expect(text()).toBe("Own words.\n");
});

it("refuses a block that was edited, unless forced, and a file of more than 180 lines", async () => {
  writeFileSync(file, "# Rules\n");
  await type("adopt");
  const changed = text().replace("chest_recall", "chest_recoil");
  writeFileSync(file, changed);
  for (const command of ["adopt", "unadopt"]) {
    const refused = await type(command);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("was edited")]);
    expect(text()).toBe(changed);
  }
  expect((await type("unadopt --force")).code).toBe(0);
  expect(text()).toBe("# Rules\n");
  writeFileSync(file, "line\n".repeat(181));
  expect((await type("adopt")).stderr).toContain("180 lines");
});
