import fc from "fast-check";

/** The part of JSON Schema that the documentation uses. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

// Text with a meaning in parsers, query languages and file systems, and words of other scripts.
const PHRASES = [
  "the well is deep",
  "acme-api",
  "배포는 어디서",
  "会議は火曜日",
  "部署在哪里",
  "learning",
  "1",
  "-1",
  "null",
  "true",
  ...['"', "'; DROP TABLE memories; --", "NEAR(a b)", "* ^ : ( ) - +", "%", "\\", "../../etc/passwd", "file:///", "{}"],
  "\u0000",
  "\ud800",
  "\u202e",
  "\ufeff",
  "e\u0301\u0301",
  "👩‍👩‍👧",
  "__proto__",
  "constructor",
  "\r\n\r\n",
];
const MANY = 5;
const LONG = 60;
/** Ids up to this number may exist. */
const SMALL = 40;

/** Generates any value that a schema accepts. */
export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf));
  switch (schema.type) {
    case "object":
      return objectsOf(schema);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? MANY, MANY)),
      });
    case "string":
      return stringsOf(schema);
    case "integer":
      return numbersOf(schema, (min, max) => fc.integer({ min, max }));
    case "number":
      return fc.oneof(
        numbersOf(schema, (min, max) => fc.integer({ min, max })),
        numbersOf(schema, (min, max) => fc.double({ min, max, noNaN: true })),
      );
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 3 });
  }
}

function objectsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)]));
  return fc.record(fields, { requiredKeys: [...required], noNullPrototype: true });
}

function stringsOf({ minLength = 0, maxLength = LONG, pattern, format }: Schema): fc.Arbitrary<string> {
  if (format === "date-time") {
    const from = new Date("2020-01-01");
    return fc.date({ min: from, max: new Date("2040-01-01"), noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: "small" });
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  const phrases = PHRASES.filter(fits);
  return fc.oneof(
    fc.string({ unit: "binary", minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONG)) }).filter(fits),
    ...(phrases.length === 0 ? [] : [fc.constantFrom(...phrases)]),
  );
}

function numbersOf(
  { minimum, maximum = Number.MAX_SAFE_INTEGER, exclusiveMinimum }: Schema,
  between: (min: number, max: number) => fc.Arbitrary<number>,
): fc.Arbitrary<number> {
  const least = minimum ?? (exclusiveMinimum === undefined ? -SMALL : exclusiveMinimum + Number.EPSILON);
  const min = exclusiveMinimum === undefined ? least : Math.floor(least) + 1;
  if (maximum < min) return between(maximum, maximum);
  return fc.oneof(between(min, Math.min(maximum, min + SMALL)), between(min, maximum));
}

/** Generates a value with an unexpected part, which a schema may still accept. */
export function spoilt(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(values, fc.nat(), fc.oneof(ODD, fc.constant(DROP), fc.constant(ADD))).map(([value, at, how]) => {
    const places = placesIn(value);
    return changed(value, places[at % places.length] ?? [], how);
  });
}

const DROP = Symbol("drop");
const ADD = Symbol("add");

const ODD = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  "",
  "0",
  "x".repeat(100_000),
  "\ud800".repeat(9000),
  [],
  {},
  [null],
  { length: 1 },
  Array.from({ length: 5000 }, () => 1),
  nested(60),
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
);

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1);
}

type Place = readonly string[];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function placesIn(value: unknown, at: Place = []): Place[] {
  if (!isObject(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))];
}

function changed(value: unknown, [key, ...rest]: Place, how: unknown): unknown {
  if (key === undefined) {
    if (how === DROP) return undefined;
    return how === ADD ? (isObject(value) && !Array.isArray(value) ? { ...value, zzz: 1 } : [value]) : how;
  }
  const inner = changed((value as Record<string, unknown>)[key], rest, how);
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === key ? inner : each));
  return { ...(value as object), [key]: inner };
}
