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
  for (const line of (fenced[1] ?? "").split(/\r?\n/)) {
    const [, name = "", given = ""] = FIELD.exec(line) ?? [];
    const isOwn = name === "type" || !/^\s/.test(line);
    const value = given.replace(/^(["'])(.*)\1$/, "$2");
    if (isOwn && value !== "" && fields[name] === undefined) fields[name] = value;
  }
  return { fields, body: text.slice(fenced[0].length) };
}
