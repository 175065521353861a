import { isHarmless } from "./harmless-value.ts";
import { isOpaque, isRandomLetters, looksGenerated } from "./looks.ts";
import {
  CREDENTIALS,
  DIRECT,
  EASTERN,
  EASTERN_OTHER,
  KEY_ABROAD_OF_SECRETS,
  KEY_OF_PLACES,
  KEY_OF_SECRETS,
  MAY_TELL,
  NAMING,
  SETS,
  TELLS,
  TOLD_BEFORE,
} from "./prose-grammar.ts";

/** A word for a secret, with its position. */
interface Naming {
  readonly from: number;
  readonly end: number;
  readonly isPassword: boolean;
  /** "Key" and "pass" have many meanings: the value must look like a secret. */
  readonly isKey: boolean;
  /** A token's id may follow the word, which is no secret. */
  readonly mayHaveId: boolean;
  /** Whether nothing specifies the kind of key, so that only a full sentence counts. */
  readonly isBareKey: boolean;
}

type IsSecret = (value: string, end: number) => boolean;

const PASSWORD =
  /^(?:pass|pwd|kennwort|mot de|contra|senha|palavra|wacht|парол|パスワ|パスフ|暗証|合言|密|口|비밀|비번|암호|패스)/iu;
const ASCII = /^[\x20-\x7e]/;
const WITH = /(?:\b(?:with|using|and|mit|avec|con|com)|[/,])[ \t]{1,3}(?:(?:the|a|dem|le|la|el)[ \t]{1,3})?$/iu;
const BLANK = /[ \t]{1,3}/y;
const QUALIFIER = /(?:api|access|secret|private|auth)[ _-]?$/i;
// A German compound: `Admin-Passwort`.
const COMPOUND = /[A-Za-z]-(?:passwort|kennwort|schlüssel)$/i;
const CHOSEN_KEY = /(?:^|[^\w.$-])(?:api|access|secret|private|auth)[ _-]?$/i;
const REACH = 120;
const REACH_BEFORE = 100;

const QUOTED = /(["'`“「『])([^\s"'`“”「」『』]{4,200})(?:["'`”」』])/uy;
// Excludes quotes, commas and backslashes: in JSON, a line end is written `\n`.
const BARE = /[\w!#$%&()*+\-./:=?@[\]^{|}~]{6,200}/y;
const SENTENCE_END = /(?<![.,:!?)\]}])[.,:!?)\]}]+$/;
const WORD = /^\p{L}{1,24}$/u;
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])/;
// Words for encodings, lengths, versions and times, which occur in the same sentences.
const TECHNICAL =
  /^(?:sha-?\d|md-?\d|argon2|scram|pbkdf|[bs]crypt|utf-?\d|base-?\d\d|[hrep]s\d{3}|ed\d|x509|pkcs|p-?\d{3}|aes|rsa|ascii|iso-?\d|rfc-?\d|oauth|http|v?\d+(?:\.|$)|\d+[a-z-]{1,12}$|\d{4}-\d\d|0x)/i;
const OF_CODE =
  /^[\w$]+\.[\w$.]+$|[()[\]{}]|:\/\/|^[./~@]|^#[a-z][\w-]*$|^[a-z]+(?:Token|Secret|Key|Password)\d{0,2}$|^[A-Za-z]+\$\w{1,2}$|=>|->/;
const CLAUSE_ENDS =
  /^["'`”»」]?(?:[ \t]*(?:$|[\n.,;!?()]|\\n)| ?です|だ|なので|になり|に設定|に変更|で(?:入|ロ|ログ)|[ \t](?:an|ein)(?![\p{L}\p{N}])|。|，|、| ?(?:입니다|이다|예요|이에요|이야|야|임)|로 (?:바|변경|설정))/u;
const IN_A_NAME = /[\w.$-]$/;
const AFTER_THE_NAME =
  /^(?:$|["'`”」]?[ \t]*(?:$|[.,;!?\n)])|[ \t](?:for|of|on|in|at|to|für|auf|der|des|im|pour|de|du|sur|para|del|en|do|da|no|na)[ \t]|です|だ|に|で|。|，|입니다|로|$)/u;
const HUMP = /[a-z][A-Z]/;
const NAMES_ITSELF = /pass|token|secret|key|auth|hash|crypt|string|vault|sql|script|hub|lab/i;
const LONG_WORD = /^[a-z]{22,60}$/;
const JOINED_WORDS = /^[a-z]{4,12}(?:-[a-z]{4,12}){3,7}$/;

/** Replaces secrets in sentences: "the password is …", "log in with password …", "パスワードは…". */
export function redactProse(text: string, replaced: () => string): string {
  let kept = "";
  let copied = 0;
  for (const match of text.matchAll(NAMING)) {
    if (match.index < copied) continue;
    const { key, short } = match.groups ?? {};
    const naming = namingOf(text, match.index, match[0], key !== undefined, short !== undefined);
    if (!naming) continue;
    const [start, end] = toldAfter(text, naming) ?? toldBefore(text, naming, copied) ?? [0, 0];
    if (end === 0) continue;
    kept += text.slice(copied, start) + replaced();
    copied = end;
  }
  return withoutCredentials(copied === 0 ? text : kept + text.slice(copied), replaced);
}

/** Replaces what stands behind the name of an account, if it looks generated. */
function withoutCredentials(text: string, replaced: () => string): string {
  // Most texts have no such slash.
  if (!/[ \t][/／][ \t]/.test(text)) return text;
  let kept = "";
  let copied = 0;
  for (const match of text.matchAll(CREDENTIALS)) {
    const found = valueAt(text, match.index + match[0].length, isMade);
    if (!found || found[0] < copied) continue;
    kept += text.slice(copied, found[0]) + replaced();
    copied = found[1];
  }
  return copied === 0 ? text : kept + text.slice(copied);
}

function namingOf(text: string, from: number, word: string, isKey: boolean, isShort: boolean): Naming | undefined {
  const end = from + word.length;
  const isWestern = ASCII.test(word) || /[éñü]/.test(word);
  const next = text[end] ?? "";
  if (isWestern && /[\w$]/.test(next)) return undefined;
  const before = text.slice(Math.max(0, from - 40), from);
  if (!isKey) {
    // `config.token` and `my-token` are names in code.
    if (isWestern && !COMPOUND.test(before + word) && IN_A_NAME.test(before.replace(QUALIFIER, ""))) return undefined;
    const isPassword = PASSWORD.test(word);
    return {
      from,
      end,
      isPassword: isPassword && !isShort,
      isKey: isShort,
      mayHaveId: !isPassword && !isShort,
      isBareKey: false,
    };
  }
  if (CHOSEN_KEY.test(before)) {
    return { from, end, isPassword: false, isKey: false, mayHaveId: false, isBareKey: false };
  }
  const abroad = KEY_ABROAD_OF_SECRETS.exec(text.slice(end, end + 20))?.[0].length;
  const isOfSecrets = abroad !== undefined || KEY_OF_SECRETS.test(before);
  if (!isOfSecrets && (IN_A_NAME.test(before) || KEY_OF_PLACES.test(before))) return undefined;
  return { from, end: end + (abroad ?? 0), isPassword: false, isKey, mayHaveId: false, isBareKey: !isOfSecrets };
}

function toldAfter(text: string, naming: Naming): [number, number] | undefined {
  const { end, isKey, isBareKey, isPassword, mayHaveId } = naming;
  const rest = text.slice(end, end + REACH);
  const told: IsSecret = (value, at) => isSecret(value) || (isPassword && isPhrase(value, text.slice(at, at + 12)));
  const strictly = isKey ? isMade : told;
  const tells = lengthAt(TELLS, rest) ?? lengthAt(SETS, rest);
  if (tells !== undefined) return valueAt(text, end + tells, strictly);
  if (isBareKey) return undefined;
  const direct = lengthAt(DIRECT, rest);
  const isAbroad = !/^(?:pass(?:word|wd|phrase|code)|pwd|token|secret|key)$/i.test(text.slice(naming.from, end));
  const value = direct === undefined ? undefined : valueAt(text, end + direct, isAbroad ? strictly : isMade);
  if (value) return value;
  const eastern = lengthAt(EASTERN, rest);
  if (eastern !== undefined && !EASTERN_OTHER.test(rest.slice(0, eastern))) {
    // The opening quote is part of the value.
    const isOpen = /[「『“"'`]$/.test(rest.slice(0, eastern));
    const found = valueAt(text, end + eastern - (isOpen ? 1 : 0), strictly);
    if (found) return found;
  }
  const blank = lengthAt(BLANK, rest);
  const isWith = blank !== undefined && WITH.test(text.slice(Math.max(0, naming.from - 24), naming.from));
  const said = isWith ? valueAt(text, end + blank, strictly) : undefined;
  if (said) return said;
  const may = lengthAt(MAY_TELL, rest);
  // In "Revoked token 123e4567-…" the value is the token's id.
  const isSure: IsSecret = mayHaveId ? (input) => isMade(input) && !isOpaque(input) : isMade;
  // Chinese puts the value directly after the word: "密码…登录".
  const isTight = !ASCII.test(text.slice(naming.from, end));
  if (may === undefined && !isTight) return undefined;
  // A colon or a quote after a word for passwords introduces the value as "is" does.
  const isIntroduced = isPassword && (/[:：=][ \t]*$/.test(rest.slice(0, may)) || /^[「『“]/.test(rest));
  return valueAt(text, end + (may ?? 0), isIntroduced ? strictly : isSure);
}

function toldBefore(text: string, naming: Naming, copied: number): [number, number] | undefined {
  if (naming.isBareKey) return undefined;
  const from = Math.max(copied, naming.from - REACH_BEFORE);
  const [, value] = TOLD_BEFORE.exec(text.slice(from, naming.from)) ?? [];
  if (value === undefined || isTechnical(value) || !isPossible(value)) return undefined;
  const isChosen =
    naming.isPassword && MIXED.test(value) && AFTER_THE_NAME.test(text.slice(naming.end, naming.end + 12));
  if (!isChosen && !looksGenerated(value)) return undefined;
  const start = text.indexOf(value, from);
  return [start, start + value.length];
}

function valueAt(text: string, from: number, isMeant: IsSecret): [number, number] | undefined {
  QUOTED.lastIndex = from;
  const [whole, , inside] = QUOTED.exec(text) ?? [];
  if (whole !== undefined && inside !== undefined) {
    const start = from + 1;
    return isMeant(inside, start + inside.length) ? [start, start + inside.length] : undefined;
  }
  BARE.lastIndex = from;
  const value = BARE.exec(text)?.[0].replace(SENTENCE_END, "");
  if (value === undefined || value.length < 6) return undefined;
  return isMeant(value, from + value.length) ? [from, from + value.length] : undefined;
}

/**
 * Whether a value is a secret rather than a word of the sentence: it mixes letters and digits, or its letters form no
 * pronounceable word.
 */
function isSecret(value: string): boolean {
  if (isRandomLetters(value)) return true;
  if (!MIXED.test(value)) return looksGenerated(value) && isPossible(value);
  return !WORD.test(value) && !isTechnical(value) && isPossible(value);
}

const isMade = (value: string): boolean => !isTechnical(value) && looksGenerated(value) && isPossible(value);

const isPossible = (value: string): boolean => !OF_CODE.test(value) && !isHarmless(value);

const isTechnical = (value: string): boolean => TECHNICAL.test(value) && !isOpaque(value);

/** Whether words are joined as in a passphrase, and the clause ends with them. */
function isPhrase(value: string, after: string): boolean {
  if (!CLAUSE_ENDS.test(after) || NAMES_ITSELF.test(value)) return false;
  if (LONG_WORD.test(value) || JOINED_WORDS.test(value)) return true;
  return value.length >= 8 && /^[A-Za-z]+$/.test(value) && HUMP.test(value);
}

function lengthAt(pattern: RegExp, text: string): number | undefined {
  pattern.lastIndex = 0;
  return pattern.exec(text)?.[0].length;
}
