import type { Message, Participants, Speaker } from "../conversation/message.ts";
import { namesOf } from "./glob.ts";

/** Situation in which conditions are evaluated. */
export interface Situation {
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly now: Date;
  readonly conversationId?: string | undefined;
  readonly participants?: Participants | undefined;
  /** Key of the project. */
  readonly project?: string | undefined;
  /** Other keys of the project, such as one before a rename. */
  readonly projectAliases?: readonly string[] | undefined;
  /** Paths of files that the work is about. */
  readonly files?: readonly string[] | undefined;
}

/** Every key of the project; undefined without one. */
export const projectKeys = ({ project, projectAliases = [] }: Situation): readonly string[] | undefined =>
  project === undefined ? undefined : [project, ...projectAliases];

export const KEY_SCOPES = ["any", "user", "assistant"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Messages that are searched for keys: the last ones, of all roles or of one. */
export interface Within {
  readonly scope: KeyScope;
  readonly depth: number;
}
export const DEFAULT_WITHIN: Within = { scope: "any", depth: 4 };
export const MAX_DEPTH = 50;

/** A search key: a word, a phrase, or characters of a script without spaces. */
export interface Key {
  readonly text: string;
  readonly kind: "word" | "phrase" | "characters";
  /** Words that every matching text contains; empty for symbols. */
  readonly words: readonly string[];
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const ONE_WORD = /^[\p{L}\p{M}\p{N}_]+$/u;
const WORD_PART = /[\p{L}\p{M}\p{N}_]/u;
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const plainly = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Parses a key; undefined for a blank one. */
export function matchKeyOf(input: string): Key | undefined {
  const text = plainly(input).trim();
  if (text === "") return undefined;
  if (WITHOUT_BLANKS.test(text)) return { text, kind: "characters", words: [] };
  return { text, kind: ONE_WORD.test(text) ? "word" : "phrase", words: text.match(WORD) ?? [] };
}

interface SpokenText {
  readonly role: Speaker;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** A situation whose texts are prepared once, for any number of conditions. */
export class Scene {
  readonly situation: Situation;
  /** Names in the path of each file. */
  readonly files: readonly (readonly string[])[];
  readonly #said: readonly SpokenText[];
  /** Cached texts by scope and depth. */
  readonly #within: (readonly SpokenText[] | undefined)[] = [];

  constructor(situation: Situation) {
    this.situation = situation;
    this.files = (situation.files ?? []).map(namesOf);
    this.#said = situation.messages.slice(-MAX_DEPTH).map(({ role, content }) => {
      const text = plainly(content);
      return { role, text, words: new Set(text.match(WORD)) };
    });
  }

  /** Number of pairs of a message and a key that it contains. */
  matches(keys: readonly Key[], within: Within): number {
    let count = 0;
    for (const said of this.#messages(within)) for (const key of keys) if (holds(said, key)) count += 1;
    return count;
  }

  holdsAll(keys: readonly Key[], within: Within): boolean {
    const messages = this.#messages(within);
    return keys.every((key) => messages.some((said) => holds(said, key)));
  }

  #messages({ scope, depth }: Within): readonly SpokenText[] {
    const place = KEY_SCOPES.indexOf(scope) * (MAX_DEPTH + 1) + depth;
    const known = this.#within[place];
    if (known) return known;
    const messages = this.#said.slice(-depth).filter(({ role }) => scope === "any" || role === scope);
    this.#within[place] = messages;
    return messages;
  }
}

function holds({ text, words }: SpokenText, key: Key): boolean {
  if (key.kind === "word") return words.has(key.text);
  if (key.kind === "characters") return text.includes(key.text);
  // Checks words first: most texts do not match, and searching each text for each key is slow.
  for (const word of key.words) if (!words.has(word)) return false;
  for (let at = text.indexOf(key.text); at >= 0; at = text.indexOf(key.text, at + 1)) {
    if (isEnd(text, at - 1, key.text, 0) && isEnd(text, at + key.text.length, key.text, key.text.length - 1))
      return true;
  }
  return false;
}

/** Whether a match ends at a word boundary; always true if its last character belongs to no word. */
const isEnd = (text: string, beside: number, key: string, edge: number): boolean =>
  !WORD_PART.test(key[edge] ?? "") || !WORD_PART.test(text[beside] ?? " ");
