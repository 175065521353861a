import { type CanonicalText, flagsOf, type Memory } from "@chest/core/memory";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { statusWithoutVector } from "../database/condition.ts";
import type { Transaction } from "../database/transaction.ts";
import { putFlags } from "./versions.ts";

/** Replaces the text of a memory's row and drops its vectors. The text row is written separately. */
export function putWords({ connection }: Transaction, id: number, text: CanonicalText): void {
  connection.later(
    `UPDATE memories SET content = ?, content_hash = ?, content_sha1 = ?, segmenter_version = ?, embedding_status = ${statusWithoutVector("memories")} WHERE id = ?`,
    text.content,
    text.contentHash,
    text.contentSha1,
    SEGMENTER_VERSION,
    id,
  );
  connection.later("DELETE FROM vectors WHERE memory_id = ?", id);
}

/** Sets a memory's flags from its present text. */
export function reflag(tx: Transaction, memory: Memory): void {
  const flags = flagsOf(memory);
  const isSame = flags.length === memory.flags.length && flags.every((flag) => memory.flags.includes(flag));
  if (!isSame) putFlags(tx, { ...memory, flags });
}

/** Changes the text of a memory without a version, for changes that no member made. */
export async function changeWords(tx: Transaction, memory: Memory, text: CanonicalText): Promise<void> {
  putWords(tx, memory.id, text);
  reflag(tx, { ...memory, content: text.content });
  await tx.texts.write(memory, text);
}
