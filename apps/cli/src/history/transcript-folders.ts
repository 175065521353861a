import { join } from "node:path";
import type { Env } from "@chest/runtime";
import { HOSTS } from "@chest/runtime/hosts";
import { dataDirOf } from "@chest/runtime/profile";
import { claudeFolder } from "../agents/claude/folder.ts";

/** Folder of sessions that the hooks write down for agents whose own records cannot be read: of all, or of one. */
export const writtenByHooks = (env: Env, agent = ""): string => join(dataDirOf(env), "hooks", "transcripts", agent);

/** Finds the folders in which this machine's agents record sessions. */
export const transcriptFolders = (env: Env): string[] => [
  join(claudeFolder(env), "projects"),
  ...HOSTS.flatMap((host) => host.transcripts?.(env) ?? []),
  writtenByHooks(env),
];
