// Apart from the reading of transcripts, whose forms a hook that answers by itself would load for nothing.

/** First line of a text that tells of a failed command; undefined for any other text. */
export const failedLineOf = (content: string): string | undefined => {
  const [line = ""] = content.split("\n", 1);
  return line.startsWith("`") && line.includes("` failed: ") ? line : undefined;
};
