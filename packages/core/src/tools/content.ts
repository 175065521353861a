import type { Warning } from "../answers/wire.ts";
import { type Flaggable, flagsOf } from "../memory/flags.ts";
import { REDACTED } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid } from "../tool.ts";

/**
 * Refuses content that is blank or too long; the message has both lengths. Redaction marks do not count, because
 * clients redact before they send, and the original text may have fitted.
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
// Hangul fillers and the empty Braille pattern are invisible, although they are letters and symbols by category.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\s\u2800]/gu;

/** Whether a text is invisible: only white space or zero-width characters. */
const isBlank = (content: string): boolean => !ANY_ASCII.test(content) && content.replace(UNSEEN, "") === "";

/** Warns of a text with characters that cannot be stored: half a surrogate pair, or U+0000. */
export const mendedText = (content: string | undefined): Warning[] =>
  content === undefined || content === wellFormed(content) ? [] : [TEXT_MENDED];

const TEXT_MENDED: Warning = {
  reason: "text_mended",
  message: "content held half a character or U+0000, which no store keeps: U+FFFD replaces it",
};

/** Warns that secrets were removed from a text, here or by the client. */
export const redactedText = (stored: string | undefined): Warning[] =>
  stored?.includes(REDACTED) ? [TEXT_REDACTED] : [];

const TEXT_REDACTED: Warning = {
  reason: "secret_removed",
  message: `${REDACTED} stands for a secret, which is not stored: say where it is kept instead`,
};

/** Warns of a text that addresses an agent: hooks do not show it. */
export function flaggedText(memory: Flaggable): Warning[] {
  const flags = flagsOf(memory);
  if (flags.length === 0) return [];
  const what = "this reads like text that speaks to an agent";
  return [
    { reason: "flagged", message: `${what} (${flags.join(", ")}): recall finds it, and no hook or briefing shows it` },
  ];
}
