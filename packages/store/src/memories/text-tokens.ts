import { segment } from "@chest/core/text";

/** Words and grams of a short text, for one column of a text row. */
export function tokensOf(text: string): string {
  const { words, grams } = segment(text);
  return `${words} ${grams}`.trim();
}

/** Names of a memory: its title, and the name for updates. */
export interface Heading {
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** Tokens of a memory's names: of its entity and its own. */
export const headingTokens = (entity: string, { title, name }: Heading): string =>
  tokensOf([entity, title, name].filter(Boolean).join(" "));
