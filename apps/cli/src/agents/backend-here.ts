import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@chest/runtime";
import { withClientProfile } from "@chest/runtime/profile";
import { readRunning } from "@chest/runtime/running-backend";
import { assertUsable, readTarget, type Target, type TargetFlags } from "./target.ts";

const PATIENCE_MS = 2_000;

/**
 * Finds the backend that `npm start` runs over the data folder, by the address that it noted or the usual one. Undefined where the
 * environment or the last setup names a backend, and where none answers to the token of that folder.
 */
export async function backendHere(env: Env, flags: TargetFlags): Promise<Target | undefined> {
  const { dataDir } = flags;
  const tokenFile = flags.tokenFile ?? join(dataDir, "token");
  const isTold = flags.url !== undefined || flags.isLocal || Boolean(env.CHEST_MODE || env.CHEST_REMOTE_URL);
  if (isTold || flags.token || !existsSync(tokenFile) || withClientProfile(env).CHEST_MODE === "remote")
    return undefined;
  const url = readRunning(dataDir)?.url ?? `http://127.0.0.1:${env.CHEST_PORT || 8765}`;
  try {
    const target = await readTarget(env, { ...flags, url, tokenFile });
    await assertUsable(target, env, PATIENCE_MS);
    return target;
  } catch {
    return undefined; // It has ended, or is not ours: memory is a store on this machine.
  }
}
