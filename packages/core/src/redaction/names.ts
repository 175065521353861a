const NAMES = [
  "pass(?:word|wd)",
  "passphrase",
  "pwd",
  "(?:client[-_ ]?)?secret(?:[-_ ]?(?:access[-_ ]?)?key(?:[-_]base)?)?",
  "private[-_ ]?key",
  "(?:auth|access|refresh|session|bearer|api|id|csrf|bot|identity|registry)?token",
  "(?:x[-_])?api[-_ ]?key",
  "(?:account|storage|signing|encryption|(?:shared[-_ ]?)?access|service[-_]role)[-_ ]?key",
  "(?:REDISCLI_AUTH|SSHPASS)",
  "(?<=[A-Za-z0-9]_)pass",
  "authorization",
  "bearer",
  "cookie",
  "signature",
];

/** Names of secrets, in any case, with or without `-` and `_` between their words. */
export const SECRET_NAME = `(?:${NAMES.join("|")})`;

const WHOLE_NAME = new RegExp(`${SECRET_NAME}(?:[_-]?\\d{1,3})?$`, "gi");
const ALPHANUMERIC = /[A-Za-z0-9]/;
const UPPER = /[A-Z]/;
const BEFORE_HUMP = /[a-z0-9]/;

/** Whether a name ends in one of these as a separate word: `DB_PASSWORD` does, `tokenizer` and `subtoken` do not. */
export function isSecretName(name: string): boolean {
  if (/^(?:sig|x-amz-credential)$/i.test(name)) return true;
  WHOLE_NAME.lastIndex = 0;
  for (let match = WHOLE_NAME.exec(name); match; match = WHOLE_NAME.exec(name)) {
    if (beginsWord(name, match.index)) return true;
    WHOLE_NAME.lastIndex = match.index + 1;
  }
  return false;
}

/** Whether a word begins at an offset: after a separator or an escaped line end, or at a camelCase hump. */
export function beginsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? "";
  if (!ALPHANUMERIC.test(before)) return true;
  if (text[at - 2] === "\\" && "nrt".includes(before)) return true;
  if (UPPER.test(text[at] ?? "") && BEFORE_HUMP.test(before)) return true;
  // Accepts PGPASSWORD and mypassword, because no other word ends in "password".
  return /^passw/i.test(text.slice(at, at + 5));
}
