import { join } from "node:path";
import type { Env } from "@chest/runtime";
import { HOSTS } from "@chest/runtime/hosts";
import { dataDirOf } from "@chest/runtime/profile";
import { claudeFolder } from "../agents/claude/folder.ts";

/** Sessions that the hooks record for agents whose own records cannot be read. */
export const writtenByHooks = (env: Env): string => join(dataDirOf(env), "hooks", "transcripts");

/** Finds the folders in which this machine's agents record sessions. */
export const transcriptFolders = (env: Env): string[] => [
  join(claudeFolder(env), "projects"),
  ...HOSTS.flatMap((host) => host.transcripts?.(env) ?? []),
  writtenByHooks(env),
];
