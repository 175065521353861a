import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A session that hooks have not been able to tell of in full: they are to do so at a later event. */
export interface OwedSession {
  readonly session: string;
  /** The backend's address, or the store's file. */
  readonly place: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Where hooks keep what they owe, a file a session. */
export const owedFolder = (dataDir: string): string => join(dataDir, "outbox", "sessions");

/** What the hooks of this data folder owe, oldest first, to whichever place. */
export function owedSessions(dataDir: string): OwedSession[] {
  return owedFiles(dataDir)
    .flatMap((file) => read(file) ?? [])
    .sort((a, b) => a.since.localeCompare(b.since));
}

/** Paths of all that is owed; none of them where nothing ever was. */
export function owedFiles(dataDir: string): string[] {
  const folder = owedFolder(dataDir);
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  } catch {
    return []; // Nothing has ever waited.
  }
}

function read(file: string): OwedSession | undefined {
  try {
    const { session, place, since } = JSON.parse(readFileSync(file, "utf8"));
    const areTexts = [session, place, since].every((value) => typeof value === "string");
    return areTexts ? { session, place, since } : undefined;
  } catch {
    return undefined; // Told meanwhile, or torn: then nothing waits.
  }
}
