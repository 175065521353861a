import { z } from "zod";
import { parsedJson } from "./json.ts";
import { inOwnWords } from "./vocabulary.ts";

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads arguments as models write them, in any system's vocabulary. For an optional argument `null`, an empty text and
 * an empty list mean that it is left out, unless its schema says in `meta` that `emptyClears`. A number, a boolean or a
 * list written as text is taken where the text can mean nothing else, an id also as answers cite it, a word of a choice
 * in any case. All others pass as they are: the schema refuses them. Reading twice changes nothing more.
 */
export function asMeant({ shape }: z.ZodObject, given: Given): Given {
  const entries = Object.entries(inOwnWords(shape, given)).flatMap(([name, value]): [string, unknown][] => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : undefined;
    if (!schema) return [[name, value]];
    const meant = readValue(schema, value);
    return isLeftOut(schema, meant) ? [] : [[name, meant]];
  });
  return Object.fromEntries(entries);
}

/** A required argument that is `null` is as good as missing, and is refused as that. */
function isLeftOut(schema: z.ZodType, value: unknown): boolean {
  if (!isOptional(schema)) return value === null;
  const isEmpty = value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return isEmpty && !(schema.meta()?.emptyClears === true && schema.safeParse(value).success);
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
