import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KnownCapabilities } from "../capabilities.ts";
import type { Entry } from "./entry.ts";

/** Member in whose name writes are sent, and the token that says so. */
export interface Sender {
  /** Undefined where the backend has never told: it is older, or has never accepted this token. */
  readonly member: string | undefined;
  /** Digest of backend and token: it tells tokens apart, and gives none away. */
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
 * Tells whose token is in use. The answer of the backend is remembered, so that the member is known when the token has
 * ended: its writes then wait for another token of this member.
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

/** Whether a waiting call may be sent with a token: by its member alone, or by the very token that it was made with. */
export function isOf({ member, token }: Pick<Entry, "member" | "token">, sender: Sender): boolean {
  if (member !== undefined && sender.member !== undefined) return member === sender.member;
  // Entries of before name neither.
  return token === undefined || token === sender.token;
}

// Tokens of years: the oldest are of no entry any more.
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
    // A disk without room: the backend tells again.
  }
}
