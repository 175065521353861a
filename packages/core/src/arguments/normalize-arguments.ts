import { z } from "zod";
import { parsedJson } from "../text/json.ts";
import { inOwnWords } from "./vocabulary.ts";

type RawArguments = Readonly<Record<string, unknown>>;

/**
 * Reads arguments as models write them. `null`, an empty text and an empty list leave out an optional argument, unless
 * the `meta` of its schema says `emptyClears`. A number or boolean written as text is converted if the text can mean
 * nothing else; an id may be written as a citation, and a choice in any case. All other values pass unchanged and the
 * schema refuses them. Reading twice gives the same result. An argument with `chooses` in its `meta` selects what a
 * tool acts on, and leaving it out selects everything. If it is empty, the caller meant to select: the call is refused
 * with the hint in `chooses`, unless another argument selects.
 * @param defaults of arguments that are left out
 */
export function normalizeArguments(
  schema: z.ZodObject,
  input: RawArguments,
  defaults: RawArguments = {},
): RawArguments {
  if (read.get(input) === schema) return input;
  const meant = { ...defaults, ...readArguments(schema, input) };
  read.set(meant, schema);
  return meant;
}

/** Arguments that were read already, by their schema: a second reader of one call gets them unchanged. */
const read = new WeakMap<RawArguments, z.ZodObject>();

function readArguments({ shape }: z.ZodObject, input: RawArguments): RawArguments {
  const words = Object.entries(inOwnWords(shape, input)).map(([name, value]): Argument => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    if (!schema) return { name, value, isEmpty: false, chooses: false };
    const meant = readValue(schema, value);
    const chooses = choiceHint(shape, name) !== undefined;
    return { name, value: meant, isEmpty: isLeftOut(schema, meant), chooses };
  });
  const choosers = Object.keys(shape).filter((name) => choiceHint(shape, name) !== undefined);
  const isKept = choosesNothing(words, choosers.length);
  return Object.fromEntries(
    words.flatMap(({ name, value, isEmpty, chooses }) => (isEmpty && !(chooses && isKept) ? [] : [[name, value]])),
  );
}

interface Argument {
  readonly name: string;
  readonly value: unknown;
  readonly isEmpty: boolean;
  readonly chooses: boolean;
}

/**
 * Whether a call has only empty selecting arguments. A client that fills in every argument may mean none of them: the
 * call is accepted as a preview or with a confirmation.
 */
function choosesNothing(read: readonly Argument[], count: number): boolean {
  const given = read.filter(({ chooses }) => chooses);
  if (given.some(({ isEmpty }) => !isEmpty)) return false;
  const isSaid = read.some(({ name, value }) => (name === "dry_run" || name === "confirm") && value === true);
  return given.length < count || !isSaid;
}

const isBlank = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Selecting arguments that are empty, each with the hint for its refusal. */
export const emptyChoices = (
  { shape }: z.ZodObject,
  read: RawArguments,
): { readonly name: string; readonly hint: string }[] =>
  Object.entries(read).flatMap(([name, value]) => {
    const hint = choiceHint(shape, name);
    return hint !== undefined && isBlank(value) ? [{ name, hint }] : [];
  });

function choiceHint(shape: z.ZodObject["shape"], name: string): string | undefined {
  const hint = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType).meta()?.chooses : undefined;
  return typeof hint === "string" ? hint : undefined;
}

/** A required argument that is `null` is refused as missing. */
function isLeftOut(schema: z.ZodType, value: unknown): boolean {
  if (!isOptional(schema)) return value === null;
  return isBlank(value) && !(schema.meta()?.emptyClears === true && schema.safeParse(value).success);
}

const isOptional = (schema: z.ZodType): boolean => schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;

const NUMERAL = /^[+-]?\d+(?:\.\d+)?$/;
const CITATION = /^(?:memory:(\d+)|\[memory:(\d+)\])$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

function readValue(schema: z.ZodType, value: unknown): unknown {
  // Clients fill in these exact values, and a path may contain a comma.
  if (schema.meta()?.fromClients === true) return value;
  const kind = innermost(schema);
  if (kind instanceof z.ZodArray) return readList(kind.element as z.ZodType, value);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (kind instanceof z.ZodNumber) return NUMERAL.test(text) ? Number(text) : (citedId(kind, text) ?? value);
  if (kind instanceof z.ZodEnum) return kind.options.find((word) => word === text.toLowerCase()) ?? value;
  if (kind instanceof z.ZodBoolean) return BOOLEANS.get(text.toLowerCase()) ?? value;
  return value;
}

/** Reads `[memory:41]` or `memory:41` as an id: any whole number above 0. */
function citedId(schema: z.ZodNumber, text: string): number | undefined {
  const [, bare, bracketed] = CITATION.exec(text) ?? [];
  const digits = bare ?? bracketed;
  const isId = schema.format === "safeint" && schema.minValue === 0 && !schema.safeParse(0).success;
  return digits !== undefined && isId ? Number(digits) : undefined;
}

/** Reads a list: an array, JSON in a text, comma-separated text, or a single item. */
function readList(element: z.ZodType, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => readValue(element, item));
  if (typeof value === "number") return [value];
  if (typeof value !== "string") return value;
  const items = listIn(value) ?? value.split(",").flatMap((item) => item.trim() || []);
  return items.map((item) => readValue(element, item));
}

function listIn(text: string): unknown[] | undefined {
  const list = text.trimStart().startsWith("[") ? parsedJson(text) : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** Unwraps a schema from its defaults and transforms. */
export function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return innermost(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodPipe)) return schema;
  return innermost((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
}
