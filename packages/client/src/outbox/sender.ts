import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KnownCapabilities } from "../capabilities.ts";
import type { Entry } from "./entry.ts";

/** Member for whom writes are sent, with the token. */
export interface Sender {
  /** Undefined if the backend never named the member: it is older, or never accepted this token. */
  readonly member: string | undefined;
  /** Digest of backend and token, which reveals neither. */
  readonly token: string;
}

export interface SenderOptions {
  /** Folder of the outbox. */
  readonly folder: string;
  readonly url: string;
  readonly token: string | undefined;
  readonly capabilities: Pick<KnownCapabilities, "current">;
}

/**
 * Finds the member of the current token. The backend's answer is stored, so that the member is known after the token
 * expires: its writes then wait for another token of the member.
 */
export function senderOf({ folder, url, token = "", capabilities }: SenderOptions): () => Promise<Sender> {
  const digest = createHash("sha256").update(`${url}\n${token}`).digest("hex").slice(0, 32);
  const file = join(folder, "members.json");
  return async () => {
    const told = (await capabilities.current().catch(() => undefined))?.caller?.member;
    const known = readMembers(file);
    if (told !== undefined && known[digest] !== told) writeMembers(file, { ...known, [digest]: told });
    return { member: told ?? known[digest], token: digest };
  };
}

/** Whether an entry may be sent with this token: its member is the same, or it was made with this very token. */
export function isOf({ member, token }: Pick<Entry, "member" | "token">, sender: Sender): boolean {
  if (member !== undefined && sender.member !== undefined) return member === sender.member;
  // Old entries contain neither.
  return token === undefined || token === sender.token;
}

// Limit of remembered tokens: no entry needs older ones.
const MOST_KNOWN = 100;

function readMembers(file: string): Readonly<Record<string, string>> {
  try {
    const known: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof known !== "object" || known === null) return {};
    return Object.fromEntries(
      Object.entries(known).filter((each): each is [string, string] => typeof each[1] === "string"),
    );
  } catch {
    return {}; // Nothing was told yet.
  }
}

function writeMembers(file: string, known: Readonly<Record<string, string>>): void {
  const kept = Object.fromEntries(Object.entries(known).slice(-MOST_KNOWN));
  const unfinished = `${file}.${process.pid}.part`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(unfinished, JSON.stringify(kept), { mode: 0o600 });
    renameSync(unfinished, file);
  } catch {
    // If the disk is full, the backend is asked again next time.
  }
}
