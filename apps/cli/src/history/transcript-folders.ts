import { join } from "node:path";
import type { Env } from "@chest/runtime";
import { HOSTS } from "@chest/runtime/hosts";
import { claudeFolder } from "../agents/claude/folder.ts";

/** Folders in which the agents of this machine record their sessions. */
export const transcriptFolders = (env: Env): string[] => [
  join(claudeFolder(env), "projects"),
  ...HOSTS.flatMap((host) => host.transcripts?.(env) ?? []),
];
