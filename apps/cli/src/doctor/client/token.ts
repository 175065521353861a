import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { endpoints, MIN_TOKEN_LENGTH } from "@chest/contracts";
import { TOKEN_ENDS_SOON_DAYS } from "@chest/core/access";
import { commandForms, quoted } from "@chest/runtime/shell-words";
import type { Reach } from "../../connect/config.ts";
import type { Check } from "../check.ts";
import { type InspectedClient, LOCAL_MODE } from "./target.ts";

export const token: Check<InspectedClient> = {
  id: "client.token",
  title: "the token is there, and no one else can read it",
  async run({ remote, home, cwd, claudeFile, claudeSettings }, signal) {
    if (!remote) return LOCAL_MODE;
    const { token: secret, tokenFile } = remote.reach;
    if (secret === undefined) {
      const file = join(home, ".chest-memory", "token");
      return {
        status: "fail",
        message: "CHEST_API_TOKEN is not set, and CHEST_API_TOKEN_FILE names no file",
        fix: commandForms().withVariables({ CHEST_API_TOKEN_FILE: file }, "chest-index doctor client"),
      };
    }
    if (tokenFile && (await isOpenToOthers(tokenFile))) {
      return {
        status: "warn",
        message: `\`${tokenFile}\` can be read by others`,
        fix: commandForms().forOwnerOnly(tokenFile),
      };
    }
    const settings = await findIn([join(cwd, ".mcp.json"), claudeFile, claudeSettings], secret);
    if (settings) {
      return {
        status: "warn",
        message: `the token itself is in \`${settings}\`: keep it in a file of its own and name that in CHEST_API_TOKEN_FILE`,
        fix: settings === claudeFile ? setupFor(remote.reach) : commandForms().linesWith("CHEST_API_TOKEN", settings),
      };
    }
    if (secret.length < MIN_TOKEN_LENGTH) {
      return {
        status: "warn",
        message: `it has ${secret.length} characters; no backend takes one of fewer than ${MIN_TOKEN_LENGTH}`,
        fix: "openssl rand -hex 32",
      };
    }
    const answer = await remote.backend.call(endpoints.capabilities, { signal, tries: 1 }).catch(() => undefined);
    const ends = answer?.caller?.token_expires_at;
    if (ends && Date.parse(ends) - Date.now() < TOKEN_ENDS_SOON_DAYS * DAY_MS)
      return {
        status: "warn",
        message: `it ends at ${ends}, and nothing is recalled or saved then`,
        fix: "chest-index token renew",
      };
    return { status: "ok", message: tokenFile ? `read from \`${tokenFile}\`` : "from CHEST_API_TOKEN" };
  },
};

const DAY_MS = 86_400_000;

/** Removes the token from the agent's configuration, and refers to the token file instead. */
const setupFor = ({ url, tokenFile }: Reach): string =>
  `chest-index setup --yes --docker ${quoted(url)}${tokenFile ? ` --token-file ${quoted(tokenFile)}` : ""}`;

/** Windows has no such file modes: a user's folders are private there. */
async function isOpenToOthers(file: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  return ((await stat(file)).mode & 0o077) !== 0;
}

const MAX_SETTINGS_BYTES = 20_000_000;

async function findIn(files: readonly string[], secret: string): Promise<string | undefined> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined); // Most of these files do not exist.
    if (!found || found.size > MAX_SETTINGS_BYTES) continue;
    if ((await readFile(file, "utf8")).includes(secret)) return file;
  }
  return undefined;
}
