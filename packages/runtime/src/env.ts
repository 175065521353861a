import { readFileSync } from "node:fs";
import type { z } from "zod";
import { StartError } from "./start-error.ts";
import type { VariableMeta } from "./variables.ts";

export type Env = Readonly<Record<string, string | undefined>>;
export type Variables = Readonly<Record<string, z.ZodType>>;

/** A configuration cannot be used; every problem is named, so that one round mends them all. */
export class ConfigError extends StartError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `the configuration has ${problems.length} problem(s)\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

export interface EnvOptions {
  /** `CHEST_*` names that belong to other programs of the same installation. */
  readonly elsewhere?: readonly string[];
  /** `CHEST_*` names that are known, but change nothing yet. */
  readonly withoutEffect?: readonly string[];
  /** `CHEST_*` names that another program reads, and that a user may expect to work here. */
  readonly idleHere?: readonly string[];
  readonly readFile?: (path: string) => string;
}

/** Reads flat variables by one schema each. Throws `ConfigError` with every problem at once. */
export function readEnv<V extends Variables>(
  variables: V,
  env: Env,
  {
    elsewhere = [],
    withoutEffect = [],
    idleHere = [],
    readFile = (path) => readFileSync(path, "utf8"),
  }: EnvOptions = {},
): { values: { readonly [K in keyof V]: z.output<V[K]> }; warnings: readonly string[] } {
  const problems: string[] = [];
  const warnings: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables)) {
    const about = metaOf(schema);
    try {
      const given = about.isSecret ? readSecret(name, env, readFile, warnings) : env[name] || undefined;
      const parsed = schema.safeParse(given === undefined ? undefined : clamp(name, given, about, warnings));
      if (parsed.success) values[name] = parsed.data;
      else problems.push(`${name}: ${given === undefined ? "is not set" : whatIsWrong(parsed.error, given, about)}`);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const secretFiles = Object.keys(variables).flatMap((name) =>
    metaOf(variables[name]).isSecret ? `${name}_FILE` : [],
  );
  const idle = idleHere.filter((name) => env[name] && !Object.hasOwn(variables, name));
  if (idle.length > 0) warnings.push(`without effect in this program: ${idle.join(", ")}`);
  warnings.push(...noticeOthers(env, [...Object.keys(variables), ...secretFiles, ...elsewhere], withoutEffect));
  return { values: values as { readonly [K in keyof V]: z.output<V[K]> }, warnings };
}

/** Returns the metadata of a variable's schema, through any `default` or `optional` around it. */
export function metaOf(schema: z.ZodType | undefined): VariableMeta {
  const inner = (schema?.def as { innerType?: z.ZodType } | undefined)?.innerType;
  return inner ? metaOf(inner) : ((schema?.meta() as VariableMeta | undefined) ?? {});
}

class UnreadableFile extends Error {}

function readSecret(name: string, env: Env, readFile: (path: string) => string, warnings: string[]) {
  const file = env[`${name}_FILE`] || undefined;
  const given = env[name] || undefined;
  if (file === undefined) return given;
  if (given !== undefined) {
    warnings.push(`${name} is set, so the file of ${name}_FILE is not read`);
    return given;
  }
  try {
    return readFile(file).trim() || undefined;
  } catch (error) {
    const { code = "unreadable" } = error as { code?: string };
    throw new UnreadableFile(`${name}_FILE: \`${file}\` cannot be read (${code})`);
  }
}

/** Undefined: the default is meant. */
function clamp(name: string, input: string, { range }: VariableMeta, warnings: string[]): string | undefined {
  const number = Number(input);
  if (!range || input.trim() === "" || Number.isNaN(number)) return input;
  const [min, max] = range;
  const clamped = Math.min(Math.max(number, min), max);
  if (clamped === number) return input;
  // Zero is not a small amount: rounding it up to a limit of one character would refuse every memory.
  if (number <= 0 && min > 0) {
    warnings.push(`${name}: ${input} is outside ${min}–${max}, so it is ignored`);
    return undefined;
  }
  warnings.push(`${name}: ${input} is outside ${min}–${max}, so ${clamped} is used`);
  return String(clamped);
}

function whatIsWrong(error: z.ZodError, input: string, { isSecret, isPrivate }: VariableMeta): string {
  const message = error.issues[0]?.message ?? "is not valid";
  return isSecret || isPrivate ? message : `\`${input.slice(0, 80)}\` ${message}`;
}

function noticeOthers(env: Env, known: readonly string[], withoutEffect: readonly string[]): string[] {
  const set = Object.keys(env).filter((name) => name.startsWith("CHEST_") && env[name] !== "");
  const idle = set.filter((name) => withoutEffect.includes(name));
  const unknown = set.filter((name) => !known.includes(name) && !withoutEffect.includes(name));
  return [
    ...(idle.length > 0 ? [`without effect yet: ${idle.join(", ")}`] : []),
    ...(unknown.length > 0 ? [`unknown, so ignored: ${unknown.join(", ")}`] : []),
  ];
}
