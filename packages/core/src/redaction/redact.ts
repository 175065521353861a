import { redactHeaders, redactPem, redactPrivate } from "./blocks.ts";
import { isHarmless } from "./harmless-value.ts";
import { isSecretName } from "./names.ts";
import { redactPairs } from "./pairs.ts";
import { COMMAND_PATTERNS, CREDENTIAL_PATTERNS } from "./patterns.ts";
import { redactProse } from "./prose.ts";

/** A redacted text, with the number of secrets by category. */
export interface Redaction {
  readonly text: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** Text that replaces a secret. */
export const REDACTED = "[REDACTED]";
// Most rounds. Removing a secret may expose another one beside it, so rounds repeat until nothing changes.
const MAX_ROUNDS = 8;

const FORMS = [...CREDENTIAL_PATTERNS, ...COMMAND_PATTERNS];
const FORMS_WITHOUT_MARKS = FORMS.filter(({ marks }) => marks === undefined);
const MARKS = new RegExp(
  FORMS.flatMap(({ marks = [] }) => marks.map((mark) => mark.replace(/[.+]/g, "\\$&"))).join("|"),
);
// No token is shorter, and most of a text does not match.
const TOKEN_CHARACTERS = /[\w.:~+/=@-]{16,}/g;

/** Replaces every secret by `[REDACTED]`; clean and already redacted texts are unchanged. */
export function redact(text: string): string {
  return redactCounted(text).text;
}

/** Redacts a text and counts the secrets by category; values are not reported. */
export function redactCounted(text: string): Redaction {
  const counts: Record<string, number> = {};
  const found = (category: string) => () => {
    counts[category] = (counts[category] ?? 0) + 1;
    return REDACTED;
  };
  let clean = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = clean;
    clean = redactOnce(clean, found);
    if (clean === before) break;
  }
  return { text: clean, counts };
}

function redactOnce(text: string, replaced: (category: string) => () => string): string {
  let clean = redactPrivate(text, replaced("private"));
  clean = redactPem(clean, replaced("pem"));
  clean = redactHeaders(clean, replaced("header"));
  clean = redactUrls(clean, isSecretName, replaced("url"));
  clean = redactPairs(clean, replaced("key-value"));
  clean = redactDockerAuth(clean, replaced("key-value"));
  clean = redactProse(clean, replaced("prose"));
  const runs = clean.match(TOKEN_CHARACTERS)?.join(" ") ?? "";
  const hasMark = MARKS.test(runs);
  for (const { category, pattern, marks } of hasMark ? FORMS : FORMS_WITHOUT_MARKS) {
    if (marks !== undefined && !marks.some((mark) => runs.includes(mark))) continue;
    clean = clean.replace(pattern, (...match) => keptOf(match) + replaced(category)());
  }
  return clean;
}

function keptOf(match: readonly unknown[]): string {
  const groups = match.at(-1);
  return typeof groups === "object" && groups !== null && "keep" in groups ? String(groups.keep) : "";
}

const AUTH =
  /(?<![A-Za-z0-9])auth(\\{0,7}["']?[ \t]{0,9}[:=]\s{0,40}\\{0,7}["']?)([A-Za-z0-9+/]{7,4000}={0,2})(?![\w+/=-])/g;
const IS_PRINTED = /^[\x20-\x39\x3b-\x7e]+:[\x20-\x7e]+$/;

/** Replaces `auth` in Docker and npm configuration: name and password, encoded together. */
function redactDockerAuth(text: string, replaced: () => string): string {
  return text.replace(AUTH, (whole, sign: string, value: string) =>
    IS_PRINTED.test(Buffer.from(value, "base64").toString("latin1")) ? `auth${sign}${replaced()}` : whole,
  );
}

// `user:password@`: the password may contain anything but a slash; a port with a query is none.
const USER_INFO =
  /([a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@"'<>`]{0,100}:)(?!\d{1,5}(?:[?#,;&)]|$))([^\s/"'<>`]{1,256})(?=@)/gi;
// Database passwords may contain slashes, although URLs do not allow them.
const DATABASE =
  /((?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse):\/\/[^\s:/?#@"'<>`]{0,100}:)(?!\d{1,5}(?:[/?#]|$))([^\s"'<>`]{1,256})(?=@)/gi;
// A Go data source name: `user:password@tcp(host)`.
const GO_SOURCE = /(?<=(?:^|[^\w.-])[\w.-]{1,64}:)[^\s:@/"'`]{1,128}(?=@(?:tcp|unix)\()/g;
const PARAMETER = /([?&]([\w.~%-]{1,200})=)((?:\[REDACTED\])?[^&#\s"'<>`)\]},;]{0,8000})/g;

/** Replaces passwords and secret parameters of URLs and connection strings. */
function redactUrls(text: string, isSecretName: (name: string) => boolean, replaced: () => string): string {
  const userInfo = (whole: string, before: string, password: string) =>
    isHarmless(password) ? whole : `${before}${replaced()}`;
  // Each of the three patterns needs an `@`; checking for it takes a hundredth of their time.
  const bare = text.includes("@")
    ? text
        .replace(DATABASE, userInfo)
        .replace(USER_INFO, userInfo)
        .replace(GO_SOURCE, (password) => (isHarmless(password) ? password : replaced()))
    : text;
  return bare.replace(PARAMETER, (whole, before: string, name: string, value: string) =>
    isSecretName(name) && !isHarmless(value) ? `${before}${replaced()}` : whole,
  );
}

/**
 * Removes the password from a database address for display. An address with several hosts is no valid URL, so its
 * password is cut by pattern.
 */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^/?#@:]*):[^@]*@/, "$1@").replace(/([?&]password=)[^&]*/gi, "$1…");
