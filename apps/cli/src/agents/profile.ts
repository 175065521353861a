import { type ClientProfile, profileFile } from "@chest/runtime/profile";
import { editOwn } from "./created-files.ts";
import type { Step } from "./step.ts";

/** Writes down where this machine's memory is, for client, command line and hooks. */
export async function writeProfile(dataDir: string, profile: ClientProfile, isDry: boolean): Promise<Step> {
  const path = profileFile(dataDir);
  const text = `${JSON.stringify(profile, undefined, 2)}\n`;
  return { step: "profile", outcome: await editOwn(path, () => text, { isDry, dataDir }), path };
}
