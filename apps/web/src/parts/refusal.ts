import { ApiError } from "../api/api-error.ts";
import { text } from "../i18n/index.ts";

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Error messages by field of the API, in the reader's language if the page has a translation. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {};
  const issues = Array.isArray(error.details.issues) ? (error.details.issues as readonly Issue[]) : [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.split(".")[0], issueText(message)]));
}

/** Message about a field in the reader's language, or the API's message if the page has no translation. */
function issueText(message: string): string {
  const known = text.issues;
  const excess = /^has ([\d,]+) (characters|items), the limit is ([\d,]+)/.exec(message);
  if (excess) return known.tooLong(Number(excess[1]), Number(excess[3]));
  const [, over] = /^is more than (\S+)$/.exec(message) ?? [];
  if (over !== undefined) return known.over(over);
  const [, under] = /^is (?:less than|not above) (\S+)$/.exec(message) ?? [];
  if (under !== undefined) return known.under(under);
  if (/^is (missing|empty)/.test(message)) return known.missing;
  if (message.startsWith("is not 1 to 64 letters")) return known.name;
  if (message.startsWith("does not have the right form")) return known.form;
  if (message.startsWith("`project` needs a project")) return known.needsProject;
  return message;
}

/** Error of the backend as a sentence, with its hint if the hint helps a person. */
export function refusalText(error: unknown): string {
  const { code, message, hint, details } = error instanceof ApiError ? error : new ApiError("", String(error));
  if (code === "FORBIDDEN" && typeof details.scope === "string") return text.problem.forbidden(details.scope);
  const known = code === "OFFLINE" ? text.problem.offline : text.problem.codes[code];
  if (known !== undefined) return known;
  const issues = Object.values(fieldErrors(error));
  if (code === "VALIDATION_ERROR" && issues.length > 0) return issues.join(" ");
  return hint ? `${message} (${hint})` : message;
}
