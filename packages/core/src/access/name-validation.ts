import { z } from "zod";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { hasInvisible, withoutInvisible } from "../text/invisible.ts";
import { invalid } from "../tool.ts";
import { MAX_PROJECT_KEY, projectKeyOf } from "./project-key.ts";

const UNSEEN_IN_IT = "contains invisible characters: control characters, or marks of direction or of no width";
const CREDENTIAL_IN_IT = "contains what looks like a credential, and would be stored and shown: leave it out";

const MOST_KEPT = 1000;
// Cache: the same few names come with every request, and the search for credentials is the slowest part of their
// validation.
const troubles = new Map<string, string | undefined>();

/** Reason why a text cannot serve as a name, in words that follow the field's name; undefined if it can. */
export function nameTrouble(text: string): string | undefined {
  if (troubles.has(text)) return troubles.get(text);
  const trouble = hasInvisible(text) ? UNSEEN_IN_IT : redact(text) === text ? undefined : CREDENTIAL_IN_IT;
  if (troubles.size >= MOST_KEPT) troubles.clear();
  troubles.set(text, trouble);
  return trouble;
}

/** A name that is stored and shown as it was given. */
export const shownName = <S extends z.ZodType<string>>(schema: S): S =>
  schema.superRefine((input, context) => {
    const trouble = nameTrouble(input);
    if (trouble !== undefined) context.addIssue(trouble);
  });

/** The key of a project in its one spelling, or `*`. */
export const projectKeyField = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(MAX_PROJECT_KEY)
    .transform((input, context) => {
      const key = projectKeyOf(input);
      const trouble = nameTrouble(key);
      if (trouble === undefined) return wellFormed(key);
      context.addIssue(trouble);
      return z.NEVER;
    });

/** Reason why a project cannot have this key, in words that follow the field's name; undefined if it can. */
export function projectKeyTrouble(input: string): string | undefined {
  const key = projectKeyOf(input);
  if (key === "") return "is blank";
  if (key === "*") return "`*` stands for all projects and is not one";
  if (key.length > MAX_PROJECT_KEY) return `has ${key.length} characters, the limit is ${MAX_PROJECT_KEY}`;
  return nameTrouble(key);
}

/** The key that a caller states of itself, in its one spelling. Throws `VALIDATION_ERROR` with the field. */
export function readProjectKey(input: string, field: string): string {
  const trouble = projectKeyTrouble(input);
  if (trouble !== undefined) throw invalid([{ path: field, message: trouble }]);
  return wellFormed(projectKeyOf(input));
}

/** A key that was found, not stated, in a form that can be stored: there is no caller who could correct it. */
export const storableProjectKey = (input: string): string =>
  withoutInvisible(redact(wellFormed(projectKeyOf(input)))).slice(0, MAX_PROJECT_KEY) || "unnamed";
