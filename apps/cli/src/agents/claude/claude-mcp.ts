import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Env } from "@chest/runtime";
import { findProgram } from "@chest/runtime/programs";
import type { Registration } from "../server-entry.ts";

const run = promisify(execFile);
const PATIENCE_MS = 30_000;

/**
 * Tells Claude Code by its own command, where that is on the path: it may hold its configuration open. The token is in
 * none of the words. False: there is no such command, or it did not do it.
 * @param wanted undefined: the server is taken out.
 */
export async function claudeMcp(
  env: Env,
  { name, entry }: { readonly name: string; readonly entry: unknown },
  wanted: Registration | undefined,
): Promise<boolean> {
  const claude = findProgram("claude", env);
  if (!claude) return false;
  const say = (words: readonly string[]) =>
    run(claude, ["mcp", ...words], { env, timeout: PATIENCE_MS, shell: claude.endsWith(".cmd") });
  try {
    if (entry !== undefined) await say(["remove", "--scope", "user", name]);
    if (wanted)
      await say(["add", ...settingsOf(wanted), "--scope", "user", name, "--", wanted.command, ...wanted.args]);
    return true;
  } catch {
    return false; // An older command, or one that wants something first: its configuration is edited instead.
  }
}

/** Placed before another option, because it would take the server's name as one more setting. */
const settingsOf = ({ env }: Registration): string[] =>
  Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
