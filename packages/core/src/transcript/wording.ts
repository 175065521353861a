import { cut } from "../cut.ts";
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

/** Returns the last paragraph that is prose and more than a nod; empty where there is none. */
export function lastWords(said: string): string {
  const paragraphs = said.replace(/```[\s\S]*?(?:```|$)/g, "").split(/\n{2,}/);
  const last = paragraphs.findLast((each) => each.trim() !== "" && !isAcknowledgement(each)) ?? "";
  return cut(last.replace(/\s+/g, " ").trim(), CUT.what);
}

const NEXT =
  /(?:^|[.!?。！？\n]\s*)((?:next(?: steps?)?\b|still (?:to do|open|missing)|remaining\b|not done yet|left to do|to ?do:|what(?:'s| is) left|次は|残りは|下一步|还需要|다음은|남은)[^.!?。！？\n]{8,})/i;

/** Returns the sentence in which the agent says what is left to do; undefined where it says nothing of that. */
export function nextStepIn(said: string): string | undefined {
  const found = NEXT.exec(said.replace(/```[\s\S]*?(?:```|$)/g, ""))?.[1];
  return found === undefined
    ? undefined
    : cut(
        found
          .replace(/[*_`#]/g, "")
          .replace(/\s+/g, " ")
          .trim(),
        CUT.summary,
      );
}

/** A path as its project knows it. */
export function inFolder(path: string, cwd: string | undefined): string {
  const [plain, folder] = [path.replaceAll("\\", "/"), cwd?.replaceAll("\\", "/").replace(/\/+$/, "")];
  return folder && plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}
