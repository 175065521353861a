import { z } from "zod";
import { parsedJson } from "./json.ts";
import { inOwnWords } from "./vocabulary.ts";

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads arguments as models write them, in any system's vocabulary. For an optional argument `null`, an empty text and
 * an empty list mean that it is left out, unless its schema says in `meta` that `emptyClears`. A number, a boolean or a
 * list written as text is taken where the text can mean nothing else, an id also as answers cite it, a word of a choice
 * in any case. All others pass as they are: the schema refuses them. Reading twice changes nothing more.
 *
 * An argument with `chooses` in its `meta` says to what a tool is done, which is all where none is given. An empty one was
 * meant to choose: it stays, and is refused with the hint that `chooses` holds, unless another one chooses.
 */
export function asMeant({ shape }: z.ZodObject, given: Given): Given {
  const read = Object.entries(inOwnWords(shape, given)).map(([name, value]): Argument => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    if (!schema) return { name, value, isEmpty: false, chooses: false };
    const meant = readValue(schema, value);
    const chooses = choiceHint(shape, name) !== undefined;
    return { name, value: meant, isEmpty: isLeftOut(schema, meant), chooses };
  });
  const choosers = Object.keys(shape).filter((name) => choiceHint(shape, name) !== undefined);
  const isKept = choosesNothing(read, choosers.length);
  return Object.fromEntries(
    read.flatMap(({ name, value, isEmpty, chooses }) => (isEmpty && !(chooses && isKept) ? [] : [[name, value]])),
  );
}

interface Argument {
  readonly name: string;
  readonly value: unknown;
  readonly isEmpty: boolean;
  readonly chooses: boolean;
}

/**
 * Whether a call has empty choosing arguments and no other. A client that fills in all of them may mean none: it is
 * believed where it asks for a preview, or confirms.
 */
function choosesNothing(read: readonly Argument[], count: number): boolean {
  const given = read.filter(({ chooses }) => chooses);
  if (given.some(({ isEmpty }) => !isEmpty)) return false;
  const isSaid = read.some(({ name, value }) => (name === "dry_run" || name === "confirm") && value === true);
  return given.length < count || !isSaid;
}

const isBlank = (value: unknown): boolean =>
  value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** Arguments that were to choose and are empty, read as they are meant, each with the way out. */
export const emptyChoices = ({ shape }: z.ZodObject, read: Given): { readonly name: string; readonly hint: string }[] =>
  Object.entries(read).flatMap(([name, value]) => {
    const hint = choiceHint(shape, name);
    return hint !== undefined && isBlank(value) ? [{ name, hint }] : [];
  });

function choiceHint(shape: z.ZodObject["shape"], name: string): string | undefined {
  const hint = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType).meta()?.chooses : undefined;
  return typeof hint === "string" ? hint : undefined;
}

/** A required argument that is `null` is as good as missing, and is refused as that. */
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
  // Clients fill these in and write what they mean; a path may hold a comma.
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

/** The number in `[memory:41]` or `memory:41`, where an id is wanted: any whole number above 0. */
function citedId(schema: z.ZodNumber, text: string): number | undefined {
  const [, bare, bracketed] = CITATION.exec(text) ?? [];
  const digits = bare ?? bracketed;
  const isId = schema.format === "safeint" && schema.minValue === 0 && !schema.safeParse(0).success;
  return digits !== undefined && isId ? Number(digits) : undefined;
}

/** A list as it is, as JSON in a text, as a text with commas, or as its only item. */
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

/** The schema of the value itself: without defaults, and before it is transformed. */
function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return innermost(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodPipe ? innermost(schema.in as z.ZodType) : schema;
}
