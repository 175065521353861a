// Control characters, bidirectional marks, and characters without width: soft hyphens, fillers, variation selectors,
// tags.
const UNSEEN = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u061C\uFFF9-\uFFFB`;
const BUT_LINE_ENDS = new RegExp(String.raw`(?!\n)[${UNSEEN}]`, "gu");

/**
 * Makes text of other users harmless: it cannot move the cursor, set a title, ring the bell or reverse a line. It may
 * have several lines.
 */
export const harmless = (text: string): string => text.replaceAll("\t", "  ").replace(BUT_LINE_ENDS, "");

/** Makes a text harmless and keeps it on one line, so that a name cannot imitate another row. */
export const onOneLine = (text: string): string => harmless(text).replaceAll("\n", " ");

/** Escapes control characters in printed JSON instead of removing them, so that a parser reads the same text. */
export const harmlessJson = (json: string): string => json.replace(BUT_LINE_ENDS, escaped);

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  }).join("");
