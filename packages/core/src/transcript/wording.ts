import { cut } from "../text/cut.ts";
import { isAcknowledgement } from "./noise.ts";

/** Code points that a memory gives to each of these. */
export const CUT = {
  intent: 1000,
  clarification: 600,
  what: 400,
  why: 500,
  sentence: 300,
  summary: 160,
  touch: 300,
  path: 500,
} as const;

/** Returns the last paragraph of prose that is more than an acknowledgement; empty if there is none. */
export function lastWords(text: string): string {
  const paragraphs = text.replace(/```[\s\S]*?(?:```|$)/g, "").split(/\n{2,}/);
  const last = paragraphs.findLast((each) => each.trim() !== "" && !isAcknowledgement(each)) ?? "";
  return cut(last.replace(/\s+/g, " ").trim(), CUT.what);
}

/** A path as its project knows it. */
export function inFolder(path: string, cwd: string | undefined): string {
  const [plain, folder] = [path.replaceAll("\\", "/"), cwd?.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "")];
  return folder && plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}
