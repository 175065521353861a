import { segment } from "@chest/core";

/** Words and grams of a short text, in one column of a text row. */
export function tokensOf(text: string): string {
  const { words, grams } = segment(text);
  return `${words} ${grams}`.trim();
}

/** Tokens of the names by which a memory goes: its entity's, and its own title. */
export const headingTokens = (entity: string, title: string | null | undefined): string =>
  tokensOf(title ? `${entity} ${title}` : entity);
