interface Titled {
  readonly title?: string | null | undefined;
  readonly content: string;
}

/** Title of a memory, where it is more than the first words of its text; undefined where they say the same. */
export function ownTitle({ title, content }: Titled): string | undefined {
  if (!title) return undefined;
  const beginning = title.endsWith("…") ? title.slice(0, -1) : title;
  return content.trimStart().startsWith(beginning.trimEnd()) ? undefined : title;
}
