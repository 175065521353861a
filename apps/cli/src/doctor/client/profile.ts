import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ClientProfile, profileFile, readClientProfile } from "@chest/runtime/profile";
import { findOurs } from "../../agents/claude/hook-settings.ts";
import { isRecord, readJsonc } from "../../agents/jsonc.ts";
import { ourServers } from "../../agents/registration.ts";
import { quoted } from "../../shell-words.ts";
import type { Check } from "../check.ts";
import type { ClientPatient } from "./patient.ts";

/** Where memory is, as one of several says it. */
interface Opinion {
  readonly by: string;
  readonly url: string | undefined;
  readonly tokenFile?: string | undefined;
}

export const profile: Check<ClientPatient> = {
  id: "client.profile",
  title: "agent, hooks and command line go to the same place",
  async run(patient) {
    const { claudeSettings, dataDir } = patient;
    const kept = readClientProfile(dataDir);
    const user = opinionOf(patient.claudeFile, kept);
    const here = opinionOf(join(patient.cwd, ".mcp.json"), kept);
    // Hooks have nothing but the profile to go by.
    const hooked = areHooked(claudeSettings) ? { by: "the hooks", url: kept?.url } : undefined;
    const ours = kept ? { by: profileFile(dataDir), url: kept.url } : hooked;
    const others = [here, user].filter((opinion) => opinion !== undefined);
    const other = others.find(({ url }) => ours && url !== ours.url);
    if (!ours) return { status: "skip", message: "there is no profile: each goes by its own settings" };
    if (!other) return { status: "ok", message: told(ours.url) };
    return {
      status: "fail",
      message: `${other.by} says ${told(other.url)}\n${ours.by} says ${told(ours.url)}`,
      fix: other === here ? "claude mcp remove --scope project chest-memory" : fixFor(kept, other),
    };
  },
};

/** Damage is another check's to tell. */
function areHooked(settings: string): boolean {
  try {
    return findOurs(existsSync(settings) ? readFileSync(settings, "utf8") : undefined, settings).length > 0;
  } catch {
    return false;
  }
}

const told = (url: string | undefined): string => url ?? "a store on this machine";

/** A profile is what somebody set up; without one, the agent's own settings are. */
function fixFor(kept: ClientProfile | undefined, { url, tokenFile }: Opinion): string {
  if (kept || url === undefined) return "chest-index setup --yes";
  return `chest-index setup --yes --docker ${quoted(url)}${tokenFile ? ` --token-file ${quoted(tokenFile)}` : ""}`;
}

/** What a file registers of ours, with what it leaves open as the client itself would take it. */
function opinionOf(file: string, kept: ClientProfile | undefined): Opinion | undefined {
  const servers = serversIn(file);
  const [name] = ourServers(servers);
  const entry = name === undefined ? undefined : servers[name];
  if (!isRecord(entry)) return undefined;
  if (typeof entry.url === "string") return { by: file, url: entry.url.replace(/\/mcp\/?$/, "") };
  const env = isRecord(entry.env) ? entry.env : {};
  const url = textIn(env.CHEST_REMOTE_URL) ?? kept?.url;
  const mode = textIn(env.CHEST_MODE) ?? (textIn(env.CHEST_REMOTE_URL) ? "local" : kept?.mode);
  const tokenFile = textIn(env.CHEST_API_TOKEN_FILE);
  return { by: file, url: mode === "remote" ? url?.replace(/\/+$/, "") : undefined, tokenFile };
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function serversIn(file: string): Readonly<Record<string, unknown>> {
  if (!existsSync(file)) return {};
  try {
    const { mcpServers } = readJsonc(readFileSync(file, "utf8"), file);
    return isRecord(mcpServers) ? mcpServers : {};
  } catch {
    return {}; // The same.
  }
}
