// Controls, bidi marks, and what takes no room or is not drawn: soft hyphens, fillers, variation selectors, tags.
const UNSEEN = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u061C\uFFF9-\uFFFB`;
const BUT_LINE_ENDS = new RegExp(String.raw`(?!\n)[${UNSEEN}]`, "gu");

/** Text of others cannot move a cursor, set a title, ring a bell or turn the line around; it may have several lines. */
export const harmless = (text: string): string => text.replaceAll("\t", "  ").replace(BUT_LINE_ENDS, "");

/** The same in a line of its own: a name cannot pretend to be another row. */
export const onOneLine = (text: string): string => harmless(text).replaceAll("\n", " ");

/** The same for JSON that is written out: what would be taken away is escaped, so that a parser reads it unchanged. */
export const harmlessJson = (json: string): string => json.replace(BUT_LINE_ENDS, escaped);

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at);
    return `\\u${unit.toString(16).padStart(4, "0")}`;
  }).join("");
