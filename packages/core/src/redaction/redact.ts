import { redactHeaders, redactPem, redactPrivate } from "./blocks.ts";
import { COMMAND_PATTERNS } from "./commands.ts";
import { redactDockerAuth } from "./docker-auth.ts";
import { isSecretName } from "./names.ts";
import { redactPairs } from "./pairs.ts";
import { CREDENTIAL_PATTERNS } from "./patterns.ts";
import { redactProse } from "./prose.ts";
import { redactUrls } from "./urls.ts";

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
