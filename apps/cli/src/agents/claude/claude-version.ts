import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Env } from "@chest/runtime";
import { findProgram } from "@chest/runtime/programs";
import { versionOf } from "../programs.ts";
import { claudeFolder } from "./folder.ts";

/** Folders of its installers, which may be missing in the shell's PATH. */
const FOLDERS = [
  join(homedir(), ".local", "bin"),
  join(homedir(), ".claude", "local"),
  join(homedir(), ".npm-global", "bin"),
  "/opt/homebrew/bin",
  "/usr/local/bin",
];

/**
 * Version of Claude Code: as its program states it, wherever that lies, else as its newest transcript does, such as that of
 * an editor's extension. Undefined where neither is there.
 */
export async function claudeVersion(env: Env): Promise<string | undefined> {
  const PATH = [env.PATH, ...FOLDERS].filter(Boolean).join(delimiter);
  const program = findProgram("claude", { ...env, PATH });
  return (await versionOf(program, env)) ?? versionInTranscripts(join(claudeFolder(env), "projects"));
}

const HEAD_BYTES = 65_536;

function versionInTranscripts(folder: string): string | undefined {
  const files = namesIn(folder).flatMap((project) => {
    const place = join(folder, project);
    return namesIn(place)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => join(place, name));
  });
  const newest = files
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)[0];
  return newest && /"version":\s*"(\d+\.\d+\.\d+)/.exec(headOf(newest.file))?.[1];
}

function headOf(file: string): string {
  const opened = openSync(file, "r");
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString("utf8", 0, readSync(opened, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(opened);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Absent, or a file: there is nothing in it.
  }
}
