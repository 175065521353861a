import { StartError } from "@chest/runtime";
import type { Edit } from "../settings-files/edit-file.ts";
import { hashOf } from "./stamp.ts";

const MAX_LINES = 180;
const BEGIN = /<!-- chest:begin sha256=([0-9a-f]{16}) pad=([01]) made=([01]) -->\n/;
const END = "<!-- chest:end -->\n";

interface Adopted {
  readonly before: string;
  readonly after: string;
  readonly isUntouched: boolean;
  readonly text: string;
  /** Whether the file was created for the block. */
  readonly isMade: boolean;
}

/** Finds the block in a file's text, and the text without it. */
function readAdopted(text: string): Adopted | undefined {
  const begin = BEGIN.exec(text);
  const end = begin ? text.indexOf(END, begin.index) : -1;
  if (!begin || end < 0) return undefined;
  const [mark, hash, pad, made] = begin;
  const own = text.slice(begin.index + mark.length, end);
  return {
    // A file without a final line break gets its old end back.
    before: text.slice(0, begin.index - (pad === "1" ? 1 : 0)),
    after: text.slice(end + END.length),
    isUntouched: hashOf(own) === hash,
    text: own,
    isMade: made === "1",
  };
}

/** Puts the rules into an instruction file, between marks; the same again changes nothing. */
export const adoptInto =
  (rules: string, path: string, { isForced }: { readonly isForced: boolean }): Edit =>
  (text) => {
    const found = text === undefined ? undefined : readAdopted(text);
    if (found && !found.isUntouched && !isForced) throw edited(path);
    if (found?.isUntouched && found.text === rules) return text;
    const before = found ? found.before : (text ?? "");
    const after = found?.after ?? "";
    if (before.split("\n").length > MAX_LINES) {
      throw new StartError(
        `\`${path}\` has more than ${MAX_LINES} lines and was not changed`,
        "agents read a long file badly: shorten it, or use the rules of `chest-index setup`",
      );
    }
    const pad = before !== "" && !before.endsWith("\n");
    const isMade = found ? found.isMade : text === undefined;
    const mark = `<!-- chest:begin sha256=${hashOf(rules)} pad=${Number(pad)} made=${Number(isMade)} -->\n`;
    return `${before}${pad ? "\n" : ""}${mark}${rules}${END}${after}`;
  };

/** Takes the block out again: the file is what it was, byte for byte, but for what was added around the block since. */
export const unadoptFrom =
  (path: string, { isForced }: { readonly isForced: boolean }): Edit =>
  (text) => {
    const found = text === undefined ? undefined : readAdopted(text);
    if (!found) return text;
    if (!found.isUntouched && !isForced) throw edited(path);
    const rest = `${found.before}${found.after}`;
    return found.isMade && rest === "" ? undefined : rest;
  };

const edited = (path: string) =>
  new StartError(
    `the block of Chest in \`${path}\` was edited, so it was left alone`,
    "`--force` does it anyway: the edits are lost",
  );
