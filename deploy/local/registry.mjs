import { runChild } from "./child.mjs";
import { ROOT } from "./paths.mjs";

/** The release that wrote the lockfile, as npm is asked for it. */
export const PNPM = "pnpm@12.20.0";

// pnpm reads the person's own .npmrc, but neither npm's global one nor its environment variables; npm asked for a folder of
// its own reads no global one.
const SHARED_SETTINGS = ["registry", "cafile", "https-proxy", "proxy", "strict-ssl"];

/** How many packages come at once: some mirrors let pnpm's usual 64 connections hang for a minute. */
export const INSTALLING_CONNECTIONS = 8;

/** Environment of every installation by npm or pnpm. */
export const INSTALLING = {
  ONNXRUNTIME_NODE_INSTALL: "skip",
  CHECKPOINT_DISABLE: "1",
  // Without a terminal pnpm asks no question under CI, and without a network npm should say so soon.
  CI: "true",
  pnpm_config_network_concurrency: String(INSTALLING_CONNECTIONS),
  npm_config_fetch_retry_mintimeout: "1000",
  npm_config_fetch_retry_maxtimeout: "5000",
  npm_config_update_notifier: "false",
};

let environment;

/** The environment for npm and pnpm, with what npm was told about registry, proxy and certificates. */
export function pnpmEnvironment() {
  environment ??= readEnvironment();
  return environment;
}

async function readEnvironment() {
  const env = { ...process.env, ...INSTALLING };
  const settings = await npmSettings();
  for (const name of SHARED_SETTINGS) {
    const value = settings[name] ?? null;
    if (value === null) continue;
    for (const manager of ["npm", "pnpm"]) env[`${manager}_config_${name.replaceAll("-", "_")}`] ??= String(value);
  }
  return env;
}

async function npmSettings() {
  try {
    const options = { quiet: true, cwd: ROOT, shell: process.platform === "win32" };
    const { output } = await runChild("npm", ["config", "list", "--json", "--loglevel=silent"], options);
    return JSON.parse(output);
  } catch {
    return {}; // The installation that follows says what is wrong with npm, and says it better.
  }
}
