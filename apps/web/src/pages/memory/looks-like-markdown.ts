/** Signs by which people write Markdown: a heading, a list, a fence, code or strong words. */
const LINE_SIGNS = ["# ", "## ", "### ", "- ", "* ", "1. ", "```", "> "] as const;

/** Whether a text is worth to be drawn as Markdown: at least one line or word of it is marked so. */
export function looksLikeMarkdown(text: string): boolean {
  const lines = text.split("\n", 400);
  if (lines.some((line) => LINE_SIGNS.some((sign) => line.trimStart().startsWith(sign)))) return true;
  return hasPair(text, "**") || hasPair(text, "`");
}

function hasPair(text: string, sign: string): boolean {
  const begins = text.indexOf(sign);
  return begins >= 0 && text.indexOf(sign, begins + sign.length + 1) > begins;
}
