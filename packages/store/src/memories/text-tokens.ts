import { segment } from "@chest/core";

/** Words and grams of a short text, in one column of a text row. */
export function tokensOf(text: string): string {
  const { words, grams } = segment(text);
  return `${words} ${grams}`.trim();
}

/** Names of a memory: its own title, and the name by which it is saved again. */
export interface Heading {
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** Tokens of the names by which a memory goes: its entity's, and its own. */
export const headingTokens = (entity: string, { title, name }: Heading): string =>
  tokensOf([entity, title, name].filter(Boolean).join(" "));
