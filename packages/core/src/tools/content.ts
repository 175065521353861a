import { type Flaggable, flagsOf } from "../memory/flags.ts";
import { REDACTED } from "../redaction/redact.ts";
import { wellFormed } from "../text/well-formed.ts";
import { invalid } from "../tool.ts";
import type { Warning } from "../wire.ts";

/**
 * Refuses content that is blank or longer than the store takes; both numbers are in the message. The marks that stand for
 * removed secrets do not count: a client removes them before it sends, and the text it was given fitted.
 */
export function checkContent(content: string, limit: number): void {
  if (content.length > limit && content.replaceAll(REDACTED, "").length > limit) {
    throw invalid(
      [
        {
          path: "content",
          message: `has ${content.length} characters, the limit is ${limit}: split it or say it shorter`,
        },
      ],
      { limit, actual: content.length },
    );
  }
  if (isBlank(content)) throw invalid([{ path: "content", message: "is blank" }]);
}

const ANY_ASCII = /[!-~]/;
// Fillers of Hangul and the empty Braille pattern are letters and symbols by their category.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/gu;

/** Whether nothing of it can be seen: white space, or characters without a width. */
const isBlank = (content: string): boolean => !ANY_ASCII.test(content) && content.replace(UNSEEN, "") === "";

/** Text of which something could not be kept: half a character, or U+0000. */
export const mendedText = (content: string | undefined): Warning[] =>
  content === undefined || content === wellFormed(content) ? [] : [TEXT_MENDED];

const TEXT_MENDED: Warning = {
  reason: "text_mended",
  message: "content held half a character or U+0000, which no store keeps: U+FFFD replaces it",
};

/** Warns of a text as stored from which secrets were removed, here or by the client that sent it. */
export const redactedText = (stored: string | undefined): Warning[] =>
  stored?.includes(REDACTED) ? [TEXT_REDACTED] : [];

const TEXT_REDACTED: Warning = {
  reason: "secret_removed",
  message: `${REDACTED} stands for a secret, which is not stored: say where it is kept instead`,
};

/** Warns of a text that reads as if it spoke to an agent: nothing shows it unasked. */
export function flaggedText(memory: Flaggable): Warning[] {
  const flags = flagsOf(memory);
  if (flags.length === 0) return [];
  const what = "this reads like text that speaks to an agent";
  return [
    { reason: "flagged", message: `${what} (${flags.join(", ")}): recall finds it, and no hook or briefing shows it` },
  ];
}
