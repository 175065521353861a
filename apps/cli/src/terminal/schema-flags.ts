import { innermost } from "@chest/core/arguments";
import type { RouteOperation } from "@chest/core/operation";
import { type AnyTool, listedInput } from "@chest/core/tool";
import type { BooleanArgDef, StringArgDef } from "citty";
import { z } from "zod";
import { listOf } from "./parse-lists.ts";
import { notAnId, UsageError } from "./usage.ts";

interface Choices {
  /** Arguments that the command sets itself. */
  readonly without: readonly string[];
  /** Flags that are not named like their argument. */
  readonly names?: Readonly<Record<string, string>>;
  /** Descriptions for a terminal; by default those that agents read. */
  readonly words?: Readonly<Record<string, string>>;
}

/** A flag for one argument, where it differs from what the schema says. */
interface Flag {
  readonly flag?: string;
  readonly words?: string | undefined;
  /** Name for a value; by default the range of a number, else the flag. */
  readonly hint?: string;
  /** Value where the flag is left out. */
  readonly usual?: string;
}

/** Makes the flags of a command from the schema of the tool that it calls, and reads them back as its arguments. */
export function toolFlags(tool: AnyTool, { without, names = {}, words = {} }: Choices) {
  const taken = Object.keys(listedInput(tool.input).shape).filter((argument) => !without.includes(argument));
  const flagOf = (argument: string): Flag => ({
    flag: names[argument] ?? argument.replaceAll("_", "-"),
    words: words[argument],
  });
  return someFlags(tool.input, Object.fromEntries(taken.map((argument) => [argument, flagOf(argument)])));
}

/** Makes flags for some fields of an operation's parameters, query and body. */
export const operationFlags = (
  { params, query, body }: Pick<RouteOperation<never, never>, "params" | "query" | "body">,
  taken: Readonly<Record<string, Flag>>,
) => someFlags({ shape: { ...params?.shape, ...query?.shape, ...body?.shape } }, taken);

/** Makes flags for some fields of a schema, and reads them back by the names of the fields. */
export function someFlags({ shape }: Pick<z.ZodObject, "shape">, taken: Readonly<Record<string, Flag>>) {
  const flags = Object.entries(taken).map(([argument, { flag = argument, words, hint, usual }]) => {
    const schema = shape[argument] as z.ZodType;
    const kind = innermost(schema);
    const description = words ?? schema.description ?? "";
    return { argument, flag, schema, definition: definitionOf(kind, description, hint ?? hintOf(flag, kind), usual) };
  });
  return {
    args: Object.fromEntries(flags.map(({ flag, definition }) => [flag, definition])),
    read: (input: object): Record<string, unknown> =>
      Object.fromEntries(
        flags.flatMap(({ argument, flag, schema }) => {
          const value: unknown = Object(input)[flag];
          return value === undefined || value === false ? [] : [[argument, readFlag(flag, schema, value)]];
        }),
      ),
  };
}

function definitionOf(
  kind: z.ZodType,
  description: string,
  hint: string,
  usual?: string,
): StringArgDef | BooleanArgDef {
  if (kind instanceof z.ZodBoolean)
    return { type: "boolean", description, ...(usual !== undefined && { default: usual === "true" }) };
  const asked = { type: "string", description: description || "One of its values", valueHint: hint } as const;
  return usual === undefined ? asked : { ...asked, default: usual };
}

function hintOf(flag: string, kind: z.ZodType): string {
  if (kind instanceof z.ZodArray) return "a,b";
  if (!(kind instanceof z.ZodNumber)) return flag;
  const { least, most } = rangeOf(kind);
  return most === undefined ? flag : `${least}-${most}`;
}

/** The smallest and the largest value; without the largest where it is no limit. */
function rangeOf(kind: z.ZodNumber): { readonly least: number; readonly most: number | undefined } {
  const { minValue, maxValue } = kind;
  const least = minValue ?? 0;
  return {
    least: kind.safeParse(least).success ? least : least + 1,
    most: maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? undefined : maxValue,
  };
}

function readFlag(flag: string, schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== "string") return value;
  const kind = innermost(schema);
  if (kind instanceof z.ZodArray) return listOf(value).map((each) => readChoice(flag, kind.element as z.ZodType, each));
  return kind instanceof z.ZodNumber ? readNumber(flag, schema, kind, value) : readChoice(flag, kind, value);
}

/** Reads one of some words, in any case; any other text is what the schema says. */
function readChoice(flag: string, kind: z.ZodType, value: string): unknown {
  if (!(kind instanceof z.ZodEnum)) return value;
  const choice = kind.options.find((word) => word === value.trim().toLowerCase());
  if (choice !== undefined) return choice;
  const choices = kind.options.map((word) => `\`${word}\``).join(", ");
  throw new UsageError(`${shownFlag(flag, value)} is not one of ${choices}`, "leave it out for the default");
}

function readNumber(flag: string, schema: z.ZodType, kind: z.ZodNumber, value: string): unknown {
  // An id may be written as it is shown.
  const number = /^#?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) ? Number(value.replace("#", "")) : Number.NaN;
  if (kind.safeParse(number).success) return number;
  const { least, most } = rangeOf(kind);
  if (most === undefined && readsTexts(schema)) return value;
  if (most === undefined && least === 1) throw notAnId(value);
  throw new UsageError(
    `${shownFlag(flag, value)} is not a ${kind.format === "safeint" ? "whole " : ""}number from ${least} ${most === undefined ? "on" : `to ${most}`}`,
    "leave it out for the default",
  );
}

const shownFlag = (flag: string, value: string): string => `\`--${flag} ${value.slice(0, 40)}\``;

/** Whether a field reads texts itself, such as dates, and says what they must be. */
const readsTexts = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? readsTexts(schema.unwrap() as z.ZodType)
    : schema instanceof z.ZodPipe;
