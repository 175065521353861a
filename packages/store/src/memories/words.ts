import { type CanonicalText, flagsOf, type Memory, SEGMENTER_VERSION } from "@chest/core";
import { statusWithoutVector } from "../database/condition.ts";
import type { Transaction } from "../database/transaction.ts";
import { putFlags } from "./versions.ts";

/** Puts other words into a memory's row; vectors of the old ones go. Its text row is written apart. */
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

/** Marks a memory by what it says now. */
export function reflag(tx: Transaction, memory: Memory): void {
  const flags = flagsOf(memory);
  const isSame = flags.length === memory.flags.length && flags.every((flag) => memory.flags.includes(flag));
  if (!isSame) putFlags(tx, { ...memory, flags });
}

/** Changes the words of a memory without a change by a member: questions find it by these now. No version is kept. */
export async function changeWords(tx: Transaction, memory: Memory, text: CanonicalText): Promise<void> {
  putWords(tx, memory.id, text);
  reflag(tx, { ...memory, content: text.content });
  await tx.texts.write(memory, text);
}
