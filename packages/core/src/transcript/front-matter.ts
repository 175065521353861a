export interface FrontMatter {
  readonly fields: Readonly<Partial<Record<"name" | "description" | "type", string>>>;
  readonly body: string;
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const FIELD = /^\s*(name|description|type)\s*:\s*(.*?)\s*$/;

/**
 * Parses the front matter between two lines of dashes above a note. Of nested fields, as of `metadata`, the type
 * counts too.
 */
export function readFrontMatter(text: string): FrontMatter {
  const fenced = FENCED.exec(text);
  if (!fenced) return { fields: {}, body: text };
  const fields: Partial<Record<string, string>> = {};
  const lines = (fenced[1] ?? "").split(/\r?\n/);
  for (const [at, line] of lines.entries()) {
    const [, name = "", said = ""] = FIELD.exec(line) ?? [];
    const isOwn = name === "type" || !/^\s/.test(line);
    const given = /^[>|][+-]?$/.test(said) ? indentedAfter(lines, at) : said;
    const value = given.replace(/^(["'])(.*)\1$/, "$2");
    if (isOwn && value !== "" && fields[name] === undefined) fields[name] = value;
  }
  return { fields, body: text.slice(fenced[0].length) };
}

/** Text of the indented lines that follow one, in one line. */
function indentedAfter(lines: readonly string[], at: number): string {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && !/^\s/.test(line));
  return (end < 0 ? rest : rest.slice(0, end)).join(" ").replace(/\s+/g, " ").trim();
}
