import { contextOf, startsAt } from "./context.ts";
import { isChosen, isOwnName, isPassword } from "./harmless.ts";
import { isSecretName } from "./names.ts";
import type { SecretPair } from "./values.ts";

const MAX_LENGTH = 400;
const NAME = "[A-Za-z_$#][\\w$]{0,80}";
const PATH = `${NAME}(?:(?:\\?\\.|[.!]\\.?|::|->)${NAME}){0,12}`;
const NAMED = new RegExp(`^!{0,2}(${PATH})!?>{0,5}$`);
// Matches `readToken()`, `cookies["sid"]`, `cookies.map(function(cookie) {`.
const CALL = new RegExp(`^(${PATH})(?:\\?\\.)?[([](.*)$`, "s");
const ARGUMENT = /^[\w$.([{!?+-]*$/;
const OPENS = /[([{]$|^(?:async|await|new|function|typeof)$/;
const CALL_END = /[^()[\]\n]{0,200}[)\]]{1,9}/y;
const GENERIC = new RegExp(`^((?:${NAME}\\.){0,5}[A-Z][\\w$]{0,80})<(?:[A-Za-z{([]|$)|^(${PATH})<typeof$`);
// Matches `() => …`, `(c: Context, …) => …`, `(typeof Token)[…]`, `(globalThis as Globals).token`, `(0, read)()`.
const GROUP =
  /\((?:\)[ \t]*(?:=>|:)|\{|(?:typeof|await)[ \t]|new[ \t][A-Z]|0,[ \t]|[\w$.]{1,60}[ \t](?:as|\?\??|\|\||&&|[!=]==?)[ \t]|[\w$]{1,40}\??:[ \t][^\n()]{0,200}\)[ \t]*(?:=>|:[ \t])|[\w$, ={}]{1,120}\)[ \t]*=>)|\/\*/y;
const OPERATOR = /[ \t](?:\?\??|\|\||&&|[!=]==?|=)[ \t]/y;
const INDEX_GOES_ON = /[ \t](?:[-+*/%]|\|\||&&)[ \t]/y;
const ARROW = /[ \t]=>[ \t]/y;
const REGEX_START = /^\/\^/;
const HUMPS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
// `MD5Password`, `OAuth2Token`
const NUMBER_BEFORE_HUMP = /(?<=[A-Za-z])\d{1,3}(?=[A-Z][a-z])/g;
const PLAIN_WORD = /^[A-Z]?[a-z]*$|^[A-Z]*$/;
const QUOTED_KEY = /(["'`])[\w:-]{0,60}$/;
const LITERAL = /^(?:undefined|null|None|nil|true|false|!{1,2}[01]|0x[\da-f]{1,8})$/i;

/** Whether the value is code that names or computes a secret: `auth`, `config.secret`, `readToken()`. */
export function isCode(pair: SecretPair, text: string, from: number, value: string): boolean {
  // The rest is scanned again from the next key on, so it must be short.
  if (value.length > MAX_LENGTH) return false;
  const end = from + value.length;
  GROUP.lastIndex = from;
  if (GROUP.test(text)) return true;
  const [, type, queried] = GENERIC.exec(value) ?? [];
  if (isOfWords(type ?? queried ?? "0") || isCall(pair, text, from, value)) return true;
  if (REGEX_START.test(value)) return context(pair, text, from, end) === "code";
  if (LITERAL.test(value)) return context(pair, text, from, end) !== undefined;
  const path = NAMED.exec(value)?.[1];
  if (path === undefined || pair.sign === undefined) return false;
  const isMember = /[.>]/.test(path) && isSecretName(path);
  if (!isOfWords(isMember ? path.replace(/\d{1,3}$/, "") : path)) return false;
  if (startsAt(ARROW, text, end)) return true;
  if (isMember || isScope(pair, text, from, end)) return true;
  const isSameName = path === value && isOwnName(pair, text, path);
  if (isSameName && !isPassword(pair) && !isTight(pair, text, from)) return true;
  const isOperand = !isTight(pair, text, from) && startsAt(OPERATOR, text, end);
  const where = isOperand || text[from - 1] === "[" ? "hint" : context(pair, text, from, end);
  if (where === undefined || where === "code" || isSameName || !PLAIN_WORD.test(path)) return where !== undefined;
  // YAML also uses braces, and passwords may be any words.
  return !isTight(pair, text, from) && !(where === "object" ? isPassword(pair) : isChosen(pair));
}

function isCall(pair: SecretPair, text: string, from: number, value: string): boolean {
  const [, path, inside = ""] = CALL.exec(value) ?? [];
  if (path === undefined) return false;
  const end = from + value.length;
  const next = text[end] ?? "\n";
  if (inside.startsWith("REDACTED")) return false;
  if (inside === "" && `)]"'\``.includes(next)) return true;
  const called = path.split(/[.:>]+/).at(-1) ?? path;
  if (isOfWords(called) && (!isChosen(pair) || !PLAIN_WORD.test(path) || startsAt(INDEX_GOES_ON, text, end)))
    return true;
  if (!ARGUMENT.test(inside) || !(OPENS.test(inside) || `)]"'\`,}\n`.includes(next))) return false;
  // "password: hunter(prod)" is a call only if code follows.
  CALL_END.lastIndex = end;
  return context(pair, text, from, end + (CALL_END.exec(text)?.[0].length ?? 0)) !== undefined;
}

// Whether it is a quoted name with a colon: `"token:read"`, `'secret:mocks'`.
function isScope(pair: SecretPair, text: string, from: number, end: number): boolean {
  const mark = QUOTED_KEY.exec(text.slice(Math.max(0, pair.at - 80), pair.at))?.[1];
  return mark !== undefined && text[end] === mark && text[from - 1] === ":" && !isPassword(pair);
}

function context(pair: SecretPair, text: string, from: number, end: number) {
  const isAssigned = /^[:+?]?=$/.test(pair.sign ?? "") && !isTight(pair, text, from);
  return contextOf(pair, text, end, isAssigned);
}

// Whether it has the form `KEY=value` of shells, connection strings and environments.
function isTight({ sign }: SecretPair, text: string, from: number): boolean {
  return sign !== undefined && /^[:+?]?=$/.test(sign) && text[from - 1] === "=";
}

/** Whether names consist of words: random letters change case at every turn. */
export function isOfWords(path: string): boolean {
  return path.split(/[^A-Za-z0-9]+/).every((name) => {
    if (/^[A-Z]\d$/.test(name)) return true;
    const letters = name.replace(NUMBER_BEFORE_HUMP, "");
    const humps = letters.match(HUMPS) ?? [];
    const isLong = name.length > 6;
    return (
      !/\d/.test(letters) &&
      humps.every((hump) => hump.length <= 20) &&
      (!isLong || humps.length * 3 <= name.length + 2)
    );
  });
}
