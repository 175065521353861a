import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-skills-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir, CLAUDE_CONFIG_DIR: join(dir, "claude") });
const answer = async (words: string) => JSON.parse((await type(`${words} --json`)).stdout);
const folder = () => join(dir, "claude", "skills");

function aSkill(name: string, text: string): void {
  mkdirSync(join(folder(), name), { recursive: true });
  writeFileSync(join(folder(), name, "SKILL.md"), text);
}

function threeSkills(): void {
  aSkill("debug", "---\nname: debug\ndescription: >-\n  Finds out why a test fails\n  and mends it.\n---\n# Debug\n");
  aSkill("release", "---\nname: Release\ndescription: Cuts a release.\n---\n");
  aSkill("plain", "# Writes plain English\n\nmore\n");
  mkdirSync(join(folder(), "no-skill"));
}

it("Resource registry of skills: scans a folder, finds each by what it is for, and shows its file", async () => {
  threeSkills();
  expect(await answer("skills scan")).toMatchObject({ added: ["debug", "plain", "release"], unchanged: 0 });
  const found = await answer("recall debug --category skill");
  expect(found.memories[0].content).toMatch(/^debug \(.*skills\/debug\/SKILL\.md\): Finds out why a test fails and/);
  expect((await type("skills show Debug")).stdout).toContain("Finds out why a test fails and mends it.");
  expect((await type("skills show debug --project host/org/other")).stdout).toContain("Finds out why");
  expect((await type("skills show absent")).code).toBe(2);
  expect((await answer("skills list")).skills.map(({ name }: { name: string }) => name).sort()).toEqual([
    "debug",
    "plain",
    "release",
  ]);
});

it("updates changed skills, archives removed ones, and otherwise does nothing", async () => {
  threeSkills();
  await type("skills scan");
  expect(await answer("skills scan")).toMatchObject({ added: [], changed: [], unchanged: 3, removed: [] });
  aSkill("release", "---\ndescription: Cuts a release and tells the channel.\n---\n");
  rmSync(join(folder(), "debug"), { recursive: true });
  expect(await answer("skills scan")).toMatchObject({ added: [], changed: ["release"], removed: ["debug"] });
  expect((await type("skills show release")).stdout).toContain("tells the channel");
  expect((await type("skills show debug")).code).toBe(2);
  expect((await answer("skills remove plain")).archived).toHaveLength(1);
  expect((await type("skills remove plain")).stderr).toContain("no skill `plain` is remembered here");
  expect(await answer("skills scan")).toMatchObject({ added: ["plain"], unchanged: 1 });
});

it("abbreviates the home folder as ~, and refuses a missing folder", async () => {
  const refused = await type(`skills scan ${join(dir, "absent")}`);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("is not a folder")]);
  const { skillFolders } = await import("../../agents/skill-files.ts");
  expect(skillFolders([join(homedir(), "mine")], dir, dir)).toMatchObject([{ shownAs: "~/mine" }]);
});
