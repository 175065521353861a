import type { Message, Participants, Speaker } from "../conversation/message.ts";
import { namesOf } from "./glob.ts";

/** Moment at which conditions are asked. */
export interface Situation {
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly now: Date;
  readonly conversationId?: string | undefined;
  readonly participants?: Participants | undefined;
  /** Key of the project. */
  readonly project?: string | undefined;
  /** Other keys that lead to the project, such as the one it had before it was renamed. */
  readonly projectAliases?: readonly string[] | undefined;
  /** Paths of files that the work is about. */
  readonly files?: readonly string[] | undefined;
}

/** Every key of the project; undefined without one. */
export const projectKeys = ({ project, projectAliases = [] }: Situation): readonly string[] | undefined =>
  project === undefined ? undefined : [project, ...projectAliases];

export const KEY_SCOPES = ["any", "user", "assistant"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Messages in which keys are looked for: the last ones, of all or of one role. */
export interface Within {
  readonly scope: KeyScope;
  readonly depth: number;
}
export const DEFAULT_WITHIN: Within = { scope: "any", depth: 4 };
export const MAX_DEPTH = 50;

/** A key as it is compared: one word, a phrase with ends, or characters of a script without blanks. */
export interface Key {
  readonly text: string;
  readonly kind: "word" | "phrase" | "characters";
  /** Words that each text with it holds; none for signs alone. */
  readonly words: readonly string[];
}

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const ONE_WORD = /^[\p{L}\p{M}\p{N}_]+$/u;
const WORD_PART = /[\p{L}\p{M}\p{N}_]/u;
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const plainly = (text: string): string => text.normalize("NFKC").toLowerCase();

/** Reads a key; undefined for one of blanks alone. */
export function matchKeyOf(given: string): Key | undefined {
  const text = plainly(given).trim();
  if (text === "") return undefined;
  if (WITHOUT_BLANKS.test(text)) return { text, kind: "characters", words: [] };
  return { text, kind: ONE_WORD.test(text) ? "word" : "phrase", words: text.match(WORD) ?? [] };
}

interface Said {
  readonly role: Speaker;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** A situation whose texts are prepared once, for any number of conditions. */
export class Scene {
  readonly situation: Situation;
  /** Each file's path in its names. */
  readonly files: readonly (readonly string[])[];
  readonly #said: readonly Said[];
  /** By scope and depth. */
  readonly #within: (readonly Said[] | undefined)[] = [];

  constructor(situation: Situation) {
    this.situation = situation;
    this.files = (situation.files ?? []).map(namesOf);
    this.#said = situation.messages.slice(-MAX_DEPTH).map(({ role, content }) => {
      const text = plainly(content);
      return { role, text, words: new Set(text.match(WORD)) };
    });
  }

  /** Pairs of a message and a key that it holds. */
  matches(keys: readonly Key[], within: Within): number {
    let count = 0;
    for (const said of this.#messages(within)) for (const key of keys) if (holds(said, key)) count += 1;
    return count;
  }

  holdsAll(keys: readonly Key[], within: Within): boolean {
    const messages = this.#messages(within);
    return keys.every((key) => messages.some((said) => holds(said, key)));
  }

  #messages({ scope, depth }: Within): readonly Said[] {
    const place = KEY_SCOPES.indexOf(scope) * (MAX_DEPTH + 1) + depth;
    const known = this.#within[place];
    if (known) return known;
    const messages = this.#said.slice(-depth).filter(({ role }) => scope === "any" || role === scope);
    this.#within[place] = messages;
    return messages;
  }
}

function holds({ text, words }: Said, key: Key): boolean {
  if (key.kind === "word") return words.has(key.text);
  if (key.kind === "characters") return text.includes(key.text);
  // Most texts do not hold it, and reading them through for each key is what costs.
  for (const word of key.words) if (!words.has(word)) return false;
  for (let at = text.indexOf(key.text); at >= 0; at = text.indexOf(key.text, at + 1)) {
    if (isEnd(text, at - 1, key.text, 0) && isEnd(text, at + key.text.length, key.text, key.text.length - 1))
      return true;
  }
  return false;
}

/** Whether a phrase ends here: not within a word, unless its last character is no part of one. */
const isEnd = (text: string, beside: number, key: string, edge: number): boolean =>
  !WORD_PART.test(key[edge] ?? "") || !WORD_PART.test(text[beside] ?? " ");
