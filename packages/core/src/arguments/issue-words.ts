import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  date: "a date or time, such as 2026-11-22 or 2026-11-22T09:30:00Z",
};

/**
 * A schema's complaint in words that follow the name of a field: an error map for a parse. Undefined leaves the words to the
 * library; a schema that has words of its own is not asked here.
 */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return `is missing${issue.code === "invalid_value" ? `: ${oneOf(issue.values)}` : ""}`;
  switch (issue.code) {
    case "invalid_type":
      return `is not ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`;
    case "invalid_value":
      return `is not ${oneOf(issue.values)}`;
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return `is more than ${issue.maximum}`;
    case "invalid_format":
      return "does not have the right form";
    default:
      return undefined;
  }
}

const oneOf = (values: readonly unknown[]): string =>
  `${values.length > 1 ? "one of " : ""}${values.map((value) => `\`${value}\``).join(", ")}`;

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const isCounted = origin === "string" || origin === "array";
  if (!isCounted) return inclusive === false ? `is not above ${minimum}` : `is less than ${minimum}`;
  if (minimum === 1) return "is empty";
  return `has fewer than ${minimum} ${origin === "string" ? "characters" : "items"}`;
}
