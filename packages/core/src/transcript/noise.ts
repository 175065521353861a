import { pastedRule } from "../text/pasted.ts";

/** Reasons why a turn is nothing to remember. */
export type NoiseReason =
  | "empty"
  | "wrapper"
  | "continuation"
  | "slash_command"
  | "acknowledgement"
  | "pasted_output"
  | "too_short";

const WRAPPER =
  /^\s*<(?:system-reminder|command-|local-command-|scheduled-task|automated-|bash-|ide[-_]|task-notification|user-prompt-submit-hook)/i;
const CONTINUATION = /^\s*(?:this session is being continued from|\[request interrupted by user)/i;
// A command is one word after the slash; a path has another slash in it.
const SLASH_COMMAND = /^\s*\/[a-z][\w:-]*(?:\s|$)/i;
const SHELL_ESCAPE = /^\s*[!#](?!\[)/;

const ACKNOWLEDGEMENTS = new Set([
  "y",
  "yes",
  "yep",
  "yeah",
  "yup",
  "ok",
  "okay",
  "sure",
  "thanks",
  "thank you",
  "thx",
  "continue",
  "next",
  "go on",
  "go ahead",
  "go",
  "proceed",
  "done",
  "no",
  "n",
  "nope",
  "stop",
  "wait",
  "great",
  "good",
  "nice",
  "perfect",
  "cool",
  "please continue",
  "keep going",
  "carry on",
  "resume",
  "try again",
  "again",
  "do it",
  "lgtm",
  "looks good",
  "sounds good",
  "got it",
  "understood",
  "of course",
  "certainly",
  "absolutely",
  "alright",
  "all right",
  "no problem",
  "will do",
  "on it",
  "my pleasure",
  "you're welcome",
  "hi",
  "hello",
  "はい",
  "承知しました",
  "わかりました",
  "うん",
  "ええ",
  "了解",
  "了解です",
  "続けて",
  "続けてください",
  "次へ",
  "次",
  "okです",
  "お願いします",
  "ありがとう",
  "ありがとうございます",
  "いいえ",
  "大丈夫",
  "大丈夫です",
  "よろしく",
  "いいね",
  "進めて",
  "進めてください",
  "好",
  "好的",
  "是",
  "是的",
  "对",
  "继续",
  "下一步",
  "谢谢",
  "不",
  "可以",
  "行",
  "没问题",
  "嗯",
  "好了",
  "네",
  "예",
  "응",
  "계속",
  "계속해",
  "계속해줘",
  "다음",
  "고마워",
  "감사합니다",
  "아니",
  "아니요",
  "좋아",
  "그래",
  "오케이",
]);

const ENDING = /(?<![\s.!?,。！？、，~〜…♪)])[\s.!?,。！？、，~〜…♪)]+$/u;

const BETWEEN = /(?:(?<!\s)\s+)?[,.!;:。！、，—–-]+\s*/;

// Four of the longest nods, with what stands between them.
const MAX_NODS = 160;

/** A nod, also with its punctuation or said twice. */
export function isAcknowledgement(text: string): boolean {
  if (text.trim().length > MAX_NODS) return false;
  const plain = text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(ENDING, "")
    .replace(/\s+/g, " ")
    .replaceAll("’", "'");
  const nods = plain.split(BETWEEN).filter(Boolean);
  if (nods.length > 0 && nods.length <= 4 && nods.every((nod) => ACKNOWLEDGEMENTS.has(nod))) return true;
  const parts = plain.split(/[\s,.!。！、，]+/).filter(Boolean);
  return parts.length > 0 && parts.length <= 4 && parts.every((part) => ACKNOWLEDGEMENTS.has(part));
}

const CONTEXT_OPENING = /<(system-reminder|ide_\w{1,40}|ide-[\w-]{1,40}|user-prompt-submit-hook)(?:\s[^<>]{0,200})?>/gi;

/**
 * Leaves out the blocks that a host puts beside what a person typed: reminders, the file that is open, the lines that are
 * selected. A text of nothing else stays as it is.
 */
export function withoutHostContext(text: string): string {
  return typedBeside(text) || text;
}

/** Whether a host wrote all of a text. */
export const isHostContext = (text: string): boolean => text.trim() !== "" && typedBeside(text) === "";

function typedBeside(text: string): string {
  let rest = "";
  let from = 0;
  for (const { 0: opening, 1: tag, index } of text.matchAll(CONTEXT_OPENING)) {
    if (index < from) continue;
    const closing = `</${tag}>`;
    const end = text.indexOf(closing, index + opening.length);
    // Without an end the block may be all that follows.
    if (end < 0) break;
    rest += text.slice(from, index);
    from = end + closing.length;
  }
  if (from === 0) return text;
  return (rest + text.slice(from)).trim();
}

const isCommand = (text: string): boolean => SLASH_COMMAND.test(text) || SHELL_ESCAPE.test(text);

export const isWrapper = (text: string): boolean => WRAPPER.test(text);

/** Why a text is noise and not a person's statement; undefined for a statement. */
export function noiseOf(text: string): NoiseReason | undefined {
  if (text.trim() === "") return "empty";
  if (isWrapper(text)) return "wrapper";
  if (CONTINUATION.test(text)) return "continuation";
  if (isCommand(text)) return "slash_command";
  if (isAcknowledgement(text)) return "acknowledgement";
  return pastedRule(text) ? "pasted_output" : undefined;
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;

/** Amount of text: a CJK character counts as `weight` letters. */
export function effectiveLength(text: string, weight = 2): number {
  const points = Array.from(text).length;
  return points + (weight - 1) * (text.match(CJK)?.length ?? 0);
}
