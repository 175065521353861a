import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readShipped } from "../../agents/claude/shipped.ts";
import { captured } from "../../testing/captured.ts";

let dir: string;
let skill: string;
let rules: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-skill-"));
  skill = join(dir, "skills/chest-memory/SKILL.md");
  rules = join(dir, "rules/chest-memory.md");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const install = (flags = "") => captured(`install-skill ${flags}`, { CLAUDE_CONFIG_DIR: dir });
const text = (file: string) => readFileSync(file, "utf8");
const write = (file: string, content: string) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
};

it("installs the skill and the rules for their owner, each with the release that wrote it", async () => {
  expect(await install()).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining(`added      skill  ${skill}`),
  });

  expect(text(skill)).toMatch(/^---\nname: chest-memory\n[\s\S]*\n<!-- chest-memory \d+\.\d+\.\d+ [0-9a-f]{16} -->\n$/);
  expect(text(rules)).toContain(readShipped("rules/chest-memory.md"));
  expect(statSync(skill).mode & 0o777).toBe(0o600);
});

it("changes nothing the second time", async () => {
  await install();
  const before = statSync(skill);

  const { code, stdout } = await install("--json");

  expect([code, JSON.parse(stdout).steps.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
    0,
    ["unchanged", "unchanged"],
  ]);
  expect(statSync(skill)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
});

it("replaces what 1.5 left, keeps it as .bak, and leaves other rules alone", async () => {
  const former = join(dir, "rules/mcp-chest-memory.md");
  write(skill, "---\nname: chest-memory\ndescription: of 1.5\n---\nmemory_search first\n");
  write(former, '---\napplyTo: "**"\n---\nrules of 1.5\n');
  write(join(dir, "rules/own.md"), '---\napplyTo: "**"\n---\nmine\n');
  expect(await install()).toMatchObject({ code: 0, stdout: expect.stringContaining("1.5's rules are kept as") });
  expect(text(skill)).toContain("## Recall, before");
  expect(text(`${skill}.bak`)).toContain("memory_search first");
  expect([existsSync(former), text(`${former}.bak`).includes("rules of 1.5")]).toEqual([false, true]);
  expect(text(join(dir, "rules/own.md"))).toContain("mine");
});

it("leaves what the user edited, and replaces it when told to, keeping theirs", async () => {
  await install();
  const edited = text(skill).replace("## Recall", "## Recall often");
  writeFileSync(skill, edited);

  expect(await install()).toMatchObject({ code: 1, stdout: expect.stringContaining("--force") });
  expect(text(skill)).toBe(edited);

  expect(await install("-f")).toMatchObject({ code: 0, stdout: expect.stringContaining(`${skill}.bak`) });
  expect(text(skill)).toContain("## Recall, before");
  expect(text(`${skill}.bak`)).toBe(edited);

  writeFileSync(skill, `${edited}\nmore`);
  await install("--force");
  expect([text(`${skill}.bak`), text(`${skill}.bak2`)]).toEqual([edited, `${edited}\nmore`]);
});

it("leaves a file of the same name that it never wrote", async () => {
  write(skill, "my own words");
  expect((await install()).code).toBe(1);
  expect(text(skill)).toBe("my own words");
  expect(existsSync(rules)).toBe(true);
});

it("updates the files of an older release", async () => {
  const older = "as it was\n";
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(older).digest("hex").slice(0, 16);
  write(rules, `${older}\n<!-- chest-memory 0.0.1 ${hash} -->\n`);

  expect(await install()).toMatchObject({ code: 0, stdout: expect.stringContaining(`updated    rules  ${rules}`) });
  expect(text(rules)).toContain(readShipped("rules/chest-memory.md"));
});

it("prints what it would do, and does none of it", async () => {
  expect(await install("--dry-run")).toMatchObject({ code: 0, stdout: expect.stringContaining("would be added") });
  expect(readdirSync(dir)).toEqual([]);
});

it("refuses an unknown flag", async () => {
  expect(await install("--forse")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("did you mean `chest-index install-skill --force`?"),
  });
  expect(readdirSync(dir)).toEqual([]);
});
