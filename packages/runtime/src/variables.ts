import { delimiter } from "node:path";
import { z } from "zod";
import { absolutePath } from "./absolute-path.ts";
import { storeFileOf } from "./database-url.ts";

/** Metadata that reading a variable needs beyond its type. */
export interface VariableMeta {
  /** A number outside is clamped, with a warning. */
  readonly range?: readonly [number, number];
  /** Never shown, and may come from the file that `NAME_FILE` names. */
  readonly isSecret?: boolean;
  /** Not shown: it may hold a password. */
  readonly isPrivate?: boolean;
  /** Accepted values, for the reference table. */
  readonly takes?: string;
}

const meta = (input: VariableMeta): Record<string, unknown> => ({ ...input });

export function port() {
  const message = "is not a port from 1 to 65535";
  return z
    .string()
    .regex(/^\d{1,5}$/, message)
    .transform(Number)
    .pipe(z.number(message).min(1, message).max(65_535, message))
    .meta(meta({ takes: "1–65535" }));
}

/** A whole number; one outside the range is clamped, with a warning. */
export function intInRange(min: number, max: number) {
  return z
    .string()
    .regex(/^[+-]?\d+$/, "is not a whole number")
    .transform(Number)
    .meta(meta({ range: [min, max], takes: `${min}–${max}` }));
}

/** A number; one outside the range is clamped, with a warning. */
export function numberInRange(min: number, max: number) {
  return z
    .string()
    .regex(/^[+-]?(\d+(?:\.\d*)?|\.\d+)$/, "is not a number")
    .transform(Number)
    .meta(meta({ range: [min, max], takes: `${min}–${max}` }));
}

const FLAGS = new Map([
  ["1", true],
  ["true", true],
  ["on", true],
  ["0", false],
  ["false", false],
  ["off", false],
]);

export function flag() {
  return z
    .string()
    .transform((text, context) => {
      const value = FLAGS.get(text.toLowerCase());
      if (value !== undefined) return value;
      context.addIssue("is neither 1, true, on nor 0, false, off");
      return z.NEVER;
    })
    .meta(meta({ takes: "1, true, on or 0, false, off" }));
}

export function secret(minLength: number) {
  return z
    .string()
    .min(minLength, `has fewer than ${minLength} characters`)
    .regex(/^[\x21-\x7e]*$/, "contains characters that a header cannot carry")
    .meta(meta({ isSecret: true, takes: `${minLength} characters or more` }));
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `is not one of ${values.join(", ")}`).meta(meta({ takes: values.join(", ") }));
}

/** Values set apart by commas. */
export function listOf<const T extends readonly [string, ...string[]]>(values: T) {
  return words()
    .pipe(z.array(oneOf(values)).min(1, "is an empty list"))
    .meta(meta({ takes: `some of ${values.join(", ")}` }));
}

export function words() {
  return z
    .string()
    .transform((text) => text.split(",").flatMap((word) => word.trim() || []))
    .meta(meta({ takes: "a list, with commas" }));
}

export function text() {
  return z.string().meta(meta({ takes: "text" }));
}

/** An address of the web. */
export function httpUrl() {
  return z
    .string()
    .refine((input) => URL.canParse(input) && /^https?:$/.test(new URL(input).protocol), "is not an http or https URL")
    .meta(meta({ takes: "an http or https URL" }));
}

/** An address of this backend as others see it: over TLS, but for this machine itself. */
export function publicUrl() {
  const isPublic = (input: string): boolean => {
    const url = URL.parse(input);
    if (url === null || `${url.search}${url.hash}${url.username}` !== "") return false;
    return (
      url.protocol === "https:" || (url.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
    );
  };
  return z
    .string()
    .refine(isPublic, "is not an https address without a query; http is for this machine alone")
    .meta(meta({ takes: "an https URL" }));
}

/** An absolute path: `~` is the home folder, a relative one starts where the program was started. */
export function path() {
  return z
    .string()
    .transform(absolutePath)
    .meta(meta({ takes: "a path" }));
}

/** The file of a `file:` URL; every other database is refused. */
export function storeUrl() {
  return z
    .string()
    .transform((input, context) => {
      const file = storeFileOf(input);
      if (file !== undefined) return file;
      context.addIssue("names no file: only `file:…` is taken; unset it for this program if another one uses it");
      return z.NEVER;
    })
    .meta(meta({ isPrivate: true, takes: "a `file:` URL" }));
}

/** Address of a database on a server. */
export function databaseUrl() {
  return z
    .string()
    .regex(/^postgres(?:ql)?:\/\/./, "is no `postgres://` URL")
    .meta(meta({ isPrivate: true, takes: "a `postgres://` URL" }));
}

/** Paths, set apart as in `PATH`. */
export function paths() {
  return z
    .string()
    .transform((input) => input.split(delimiter).flatMap((one) => (one.trim() ? [absolutePath(one.trim())] : [])))
    .meta(meta({ takes: "paths, as in PATH" }));
}

/** Number of days and of weeks for which the newest backup is kept. */
export interface KeepRule {
  readonly daily: number;
  readonly weekly: number;
}

/** `7d4w`, which is the default; either part may be missing. */
export function keepRule() {
  return z
    .string()
    .regex(/^(?=.)(\d{1,3}d)?(\d{1,3}w)?$/i, "is not like 7d4w")
    .default("7d4w")
    .transform((text): KeepRule => ({ daily: countIn(text, "d"), weekly: countIn(text, "w") }))
    .meta(meta({ takes: "like 7d4w" }));
}

const countIn = (text: string, unit: string): number => Number(new RegExp(`(\\d+)${unit}`, "i").exec(text)?.[1] ?? 0);
