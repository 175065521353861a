import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claudeVersion } from "./claude-version.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-claude-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function transcript(project: string, version: string, day: number): void {
  const folder = join(dir, "claude/projects", project);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "a.jsonl");
  writeFileSync(file, `{"type":"summary"}\n{"type":"user","version":"${version}","message":{"content":"hello"}}\n`);
  utimesSync(file, day, day);
}

it.skipIf(process.platform === "win32")("is that of the program on the path", async () => {
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin/claude"), '#!/bin/sh\necho "2.1.7 (Claude Code)"\n');
  chmodSync(join(dir, "bin/claude"), 0o755);
  transcript("acme", "2.1.200", 1000);
  expect(await claudeVersion({ PATH: join(dir, "bin"), CLAUDE_CONFIG_DIR: join(dir, "claude") })).toBe("2.1.7");
});

it("is that of the newest transcript where no program is found", async () => {
  const env = { PATH: join(dir, "none"), CLAUDE_CONFIG_DIR: join(dir, "claude") };
  expect(await claudeVersion(env)).toBe(undefined);
  transcript("acme", "2.0.50", 1000);
  transcript("other", "2.1.120", 2000);
  expect(await claudeVersion(env)).toBe("2.1.120");
});
