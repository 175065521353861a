import { innermost } from "@chest/core/arguments";
import { type AnyTool, listedInput } from "@chest/core/tool";
import type { BooleanArgDef, StringArgDef } from "citty";
import { z } from "zod";
import { listOf } from "./parse-lists.ts";
import { UsageError } from "./usage.ts";

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
  return someFlags(tool, Object.fromEntries(taken.map((argument) => [argument, flagOf(argument)])));
}

/** Makes flags for some arguments of a tool. */
export function someFlags({ input }: AnyTool, taken: Readonly<Record<string, Flag>>) {
  const flags = Object.entries(taken).map(([argument, { flag = argument, words, hint, usual }]) => {
    const schema = input.shape[argument] as z.ZodType;
    const kind = innermost(schema);
    const description = words ?? schema.description ?? "";
    return { argument, flag, kind, definition: definitionOf(kind, description, hint ?? hintOf(flag, kind), usual) };
  });
  return {
    args: Object.fromEntries(flags.map(({ flag, definition }) => [flag, definition])),
    read: (input: object): Record<string, unknown> =>
      Object.fromEntries(
        flags.flatMap(({ argument, flag, kind }) => {
          const value: unknown = Object(input)[flag];
          return value === undefined || value === false ? [] : [[argument, readFlag(flag, kind, value)]];
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
  if (kind instanceof z.ZodNumber) return rangeOf(kind).join("-");
  return flag;
}

/** The smallest and the largest value; without the largest where it is no limit. */
function rangeOf(kind: z.ZodNumber): [least: string, most: string] {
  const { minValue, maxValue } = kind;
  const least = minValue ?? 0;
  const most = maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? "" : String(maxValue);
  return [String(kind.safeParse(least).success ? least : least + 1), most];
}

function readFlag(flag: string, kind: z.ZodType, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (kind instanceof z.ZodArray) return listOf(value);
  if (!(kind instanceof z.ZodNumber)) return value;
  // An id may be written as it is shown.
  const number = /^#?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) ? Number(value.replace("#", "")) : Number.NaN;
  if (kind.safeParse(number).success) return number;
  const [least, most] = rangeOf(kind);
  const range = most === "" ? `${least} on` : `${least} to ${most}`;
  throw new UsageError(
    `\`--${flag} ${value.slice(0, 40)}\` is not a ${kind.format === "safeint" ? "whole " : ""}number from ${range}`,
    "leave it out for the default",
  );
}
