/** Code points that a memory gives to each of these. */
export const CUT = {
  intent: 1000,
  clarification: 600,
  what: 400,
  why: 500,
  sentence: 300,
  touch: 300,
  path: 500,
} as const;

/** At most so many code points, the last of them `…` where something was cut. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const points = Array.from(text);
  return points.length <= length ? text : `${points.slice(0, length - 1).join("")}…`;
}

/** What was said last: the last paragraph that is prose. */
export function lastWords(said: string): string {
  const paragraphs = said.replace(/```[\s\S]*?(?:```|$)/g, "").split(/\n{2,}/);
  const last = paragraphs
    .map((each) => each.replace(/\s+/g, " ").trim())
    .filter((each) => each !== "")
    .at(-1);
  return cut(last ?? "", CUT.what);
}

/** A path as its project knows it. */
export function inFolder(path: string, cwd: string | undefined): string {
  const [plain, folder] = [path.replaceAll("\\", "/"), cwd?.replaceAll("\\", "/").replace(/\/+$/, "")];
  return folder && plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}
