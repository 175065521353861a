import { keyLengthBefore } from "./context.ts";
import type { SecretPair } from "./values.ts";

const PASSWORD = /^p(?:ass|wd)/i;
const CHOSEN = /^p(?:ass|wd)|secret/i;
const TOKEN = /token$/i;
const SHORT_NUMBER = /^\d{1,5}[.]?$/;
const SIGNATURE = /signature$/i;
const NUMBER = /^\d{1,12}$/;
// A permission of GitHub: `id-token: write`.
const PERMISSION = /^(?:read|write)$/;
// A function signature, not a cryptographic one: `verify(token, key)`.
const OF_FUNCTION = /[()]/;
const COOKIE_ATTRIBUTE = /^; ?(?:secure|httponly|partitioned|(?:path|domain|expires|max-age|samesite|priority)=)/i;
// A conditional, such as `isBearer ? "authorization" : name`.
const CONDITION = /[ \t)\]]\?[ \t]+(?:\\*["'`])?[\w.-]{0,80}$/;
const LINK_LABEL = /(?:^|\n)[ \t]{0,3}\[[^[\]\n]*$/;
const LINK_TARGET = /<?(?:https?:\/\/|\.{0,2}\/|#|mailto:)/y;

/** Whether a value is harmless for this name, though it might be a secret for another. */
export function isHarmlessFor(pair: SecretPair, text: string, value: string): boolean {
  if (TOKEN.test(pair.name) && SHORT_NUMBER.test(value)) return true;
  if (TOKEN.test(pair.name) && PERMISSION.test(value)) return true;
  if (SIGNATURE.test(pair.name) && (NUMBER.test(value) || OF_FUNCTION.test(value))) return true;
  if (COOKIE_ATTRIBUTE.test(value)) return true;
  // `--token TOKEN` is a placeholder.
  if (pair.sign === undefined && value === pair.name.toUpperCase()) return true;
  return isWorkingFolder(pair, text, value);
}

/** Whether a value only repeats its name: `COOKIE: "cookie"`, `apiKey: apiKey`. */
export function isOwnName(pair: SecretPair, text: string, value: string): boolean {
  if (value.length > 200) return false;
  const key = text.slice(pair.at - keyLengthBefore(text, pair.at), pair.at) + pair.name;
  return plain(value) === plain(pair.name) || plain(value) === plain(key.split(".").at(-1) ?? key);
}

/** Whether the pair is a password, which may equal its name: `password: password`. */
export function isPassword({ name }: SecretPair): boolean {
  return PASSWORD.test(name);
}

/** Whether any word may be the value: people choose passwords and secrets, but not tokens or keys. */
export function isChosen({ name }: SecretPair): boolean {
  return CHOSEN.test(name);
}

/** Whether the colon belongs to a conditional: `isSafe ? token : other`. */
export function isCondition({ at, sign, mark }: SecretPair, text: string, after: number): boolean {
  if (sign !== ":" || !/[ \t]:$/.test(text.slice(after - 2, after))) return false;
  return CONDITION.test(text.slice(Math.max(0, at - 90), at)) && (mark !== undefined || text[after] === " ");
}

/** Whether the pair is a Markdown link definition: `[label]: address`. */
export function isLink(pair: SecretPair, text: string, from: number): boolean {
  LINK_TARGET.lastIndex = from;
  return LINK_TARGET.test(text) && LINK_LABEL.test(text.slice(Math.max(0, pair.at - 80), pair.at));
}

// Whether it is `PWD=/home/dev`, which every environment contains.
function isWorkingFolder({ name, at }: SecretPair, text: string, value: string): boolean {
  return name === "PWD" && value.startsWith("/") && !/[\w.-]/.test(text[at - 1] ?? "");
}

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}
