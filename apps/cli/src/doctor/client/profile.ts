import { existsSync, readFileSync } from "node:fs";
import { type ClientProfile, profileFile, readClientProfile } from "@chest/runtime/profile";
import { asWord, quoted } from "@chest/runtime/shell-words";
import { findOurs } from "../../agents/claude/hook-settings.ts";
import type { Check } from "../check.ts";
import { type ConfiguredBackend, configuredBackendIn, plain, projectFile, userFile } from "./registered.ts";
import type { InspectedClient } from "./target.ts";

export const profile: Check<InspectedClient> = {
  id: "client.profile",
  title: "agent, hooks and command line use the same store",
  async run(inspected) {
    const { claudeSettings, dataDir } = inspected;
    const kept = readClientProfile(dataDir);
    const user = configuredBackendIn(userFile(inspected), kept);
    const here = configuredBackendIn(projectFile(inspected), kept);
    // Hooks read their settings from the profile only.
    const hooked = areHooked(claudeSettings) ? { by: "the hooks", url: plain(kept?.url) } : undefined;
    const ours = kept ? { by: profileFile(dataDir), url: plain(kept.url) } : hooked;
    const others = [here, user].filter((opinion) => opinion !== undefined);
    const other = others.find(({ url }) => ours && url !== ours.url);
    if (!ours) return { status: "skip", message: "there is no profile: each uses its own settings" };
    if (!other) return { status: "ok", message: storeName(ours.url) };
    return {
      status: "fail",
      message: `${other.by} says ${storeName(other.url)}\n${ours.by} says ${storeName(ours.url)}`,
      fix: other === here ? `claude mcp remove --scope project ${asWord(other.server)}` : fixFor(kept, other),
    };
  },
};

/** Another check reports a damaged file. */
function areHooked(settings: string): boolean {
  try {
    return findOurs(existsSync(settings) ? readFileSync(settings, "utf8") : undefined, settings).length > 0;
  } catch {
    return false;
  }
}

const storeName = (url: string | undefined): string => url ?? "a store on this machine";

/** The profile states what the user set up; without one, the agent's own settings count. */
function fixFor(kept: ClientProfile | undefined, { url, tokenFile }: ConfiguredBackend): string {
  if (kept || url === undefined) return "chest-index setup --yes";
  return `chest-index setup --yes --docker ${quoted(url)}${tokenFile ? ` --token-file ${quoted(tokenFile)}` : ""}`;
}
