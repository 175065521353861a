import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { hashSecret } from "../access/token.ts";
import type { AuthorizationRecords } from "../ports/authorization.ts";

/**
 * Cursors of one member: positions in the log, encrypted so that they do not reveal the number of entries between them.
 */
export interface EventCursors {
  seal(seq: number): string;
  /** Undefined for a text that is no cursor of this member. */
  open(cursor: string): number | undefined;
}

/** Any text that says which record holds the key. */
const KIND = "EventKey";
const ID = hashSecret("events");
const NO_END = new Date("9999-01-01T00:00:00Z");
const BLOCK = 16;
const KEY_BYTES = 32;

/**
 * Opens the cursors of members, by one key of the store, so that every backend over it reads them. A cursor is one block
 * of a cipher: number, member and a mark; the same place always has the same cursor.
 */
export function openEventCursors(
  records: Pick<AuthorizationRecords, "find" | "put">,
): (memberId: number) => Promise<EventCursors> {
  let loading: Promise<Buffer> | undefined;

  async function load(): Promise<Buffer> {
    const kept = await records.find(KIND, ID);
    if (kept) return Buffer.from(String(kept.payload.key), "base64url");
    const key = randomBytes(KEY_BYTES).toString("base64url");
    await records.put({ kind: KIND, id: ID, payload: { key }, grantId: undefined, expiresAt: NO_END });
    // Another backend may have made one at the same moment: the last one counts, here as there.
    return Buffer.from(String((await records.find(KIND, ID))?.payload.key ?? key), "base64url");
  }

  return async (memberId) => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const key = await loading;
    return {
      seal(seq) {
        const block = Buffer.alloc(BLOCK);
        block.writeUIntBE(seq, 0, 6);
        block.writeUIntBE(memberId, 6, 6);
        const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
        return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
      },
      open(cursor) {
        const sealed = Buffer.from(cursor, "base64url");
        if (sealed.length !== BLOCK) return undefined;
        const cipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
        const block = Buffer.concat([cipher.update(sealed), cipher.final()]);
        const isOurs = block.readUIntBE(6, 6) === memberId && block.readUInt32BE(12) === 0;
        return isOurs ? block.readUIntBE(0, 6) : undefined;
      },
    };
  };
}
