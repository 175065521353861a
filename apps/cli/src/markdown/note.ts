import { ChestError } from "@chest/contracts";
import { withUnixLines } from "@chest/core/text";
import { parse, stringify } from "yaml";

/** Markdown file with front matter: fields between two lines of dashes, and a text below. */
export interface Note {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FENCE = /^\uFEFF?---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/;

/** Reads a file of Markdown; throws where its front matter is not YAML. @param file its name, for the error. */
export function readNote(input: string, file: string): Note {
  const text = withUnixLines(input);
  const fenced = FENCE.exec(text);
  if (!fenced) {
    // A file that was cut within its front matter has no end of it.
    if (/^\uFEFF?---[ \t]*\n[\w-]+:/.test(text)) throw broken(file, "its front matter does not end");
    return { fields: {}, body: text };
  }
  const fields = yamlOf(fenced[1] ?? "", file);
  const isMapping = fields !== null && typeof fields === "object" && !Array.isArray(fields);
  return { fields: isMapping ? (fields as Note["fields"]) : {}, body: text.slice(fenced[0].length) };
}

function yamlOf(text: string, file: string): unknown {
  try {
    return parse(text, { logLevel: "silent" });
  } catch {
    throw broken(file, "its front matter is not YAML");
  }
}

const broken = (file: string, why: string) =>
  new ChestError("INVALID_INPUT", `\`${file}\` is incomplete: ${why}`, {
    hint: "fix it or copy it again; nothing was imported",
  });

/** Formats the text of a note so that `readNote` reads it unchanged. */
export const noteText = ({ fields, body }: Note): string => `---\n${stringify(fields, { lineWidth: 0 })}---\n${body}\n`;
