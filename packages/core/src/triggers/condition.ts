import { ChestError } from "@chest/contracts";
import { z } from "zod";
import { repositoryKeyOf } from "../access/project-key.ts";
import { readMoment } from "../moments/read-moment.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { isNestedDeeper, parsedJson } from "../text/json.ts";
import { invalid, isObject } from "../tool.ts";
import { constantOver } from "./constant.ts";
import { compileExpression, MAX_KEY_CHARS, MAX_KEYS, Refused } from "./expression.ts";
import { globOf } from "./glob.ts";
import {
  DEFAULT_WITHIN,
  KEY_SCOPES,
  type Key,
  MAX_DEPTH,
  matchKeyOf,
  projectKeys,
  Scene,
  type Situation,
  type Within,
} from "./situation.ts";

/** Longest text of a condition. */
const MAX_CONDITION = 4000;
const HOURS = 24;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const keys = () => z.array(z.string().min(1).max(MAX_KEY_CHARS)).min(1).max(MAX_KEYS).optional();
const list = <T extends z.ZodType>(item: T) => z.array(item).min(1).max(50).optional();

/** All parts of a condition must hold. Built only when a condition is written: hooks read stored ones without it. */
const schema = () =>
  z.strictObject({
    any: keys(),
    all: keys(),
    none: keys(),
    scope: z.enum(KEY_SCOPES).optional(),
    depth: z.int().min(1).max(MAX_DEPTH).optional(),
    dates: list(z.strictObject({ month: z.int().min(1).max(12), day: z.int().min(1).max(31) })),
    weekdays: list(z.enum(WEEKDAYS)),
    hours: list(z.int().min(0).max(23)),
    after: z.string().max(40).optional(),
    before: z.string().max(40).optional(),
    files: list(z.string().min(1).max(200)),
    projects: list(z.string().min(1).max(200)),
    conversations: list(z.string().min(1).max(64)),
  });
type Condition = z.output<ReturnType<typeof schema>>;

type Holds = (scene: Scene) => boolean;

/**
 * Parses the condition on which a memory is shown: JSON, or an expression of `match_keys`. Returns the text to store;
 * `VALIDATION_ERROR` names the position of an error.
 */
export function readCondition(input: string, path = "trigger"): string {
  const text = wellFormed(input).trim();
  if (text === "") throw invalid([{ path, message: "is blank" }]);
  if (text.length > MAX_CONDITION) {
    throw invalid([{ path, message: `has ${text.length} characters, the limit is ${MAX_CONDITION}` }]);
  }
  if (redact(text) !== text) throw invalid([{ path, message: "holds a secret, which no condition needs" }]);
  const read = text.startsWith("{") ? checked(jsonOf(text, path), path) : text;
  refuseConstant(read, compiled(read, path), path);
  return JSON.stringify(read);
}

function refuseConstant(read: unknown, holds: Holds, path: string): void {
  // A comparison may ask how often a key was said.
  if (typeof read === "string" && /[<>=]/.test(read)) return;
  const value = constantOver(holds);
  if (value !== undefined)
    throw invalid([{ path, message: `is always ${value}: ask for keys, a date or the context` }]);
}

function jsonOf(text: string, path: string): Record<string, unknown> {
  const read = isNestedDeeper(text, 3) ? undefined : parsedJson(text);
  if (isObject(read)) return read;
  throw invalid([{ path, message: 'is not a JSON object of the form {"any": ["word"]}' }]);
}

/** Whether a stored condition holds; one that cannot be parsed, such as an imported one, never does. */
export function isTriggered(stored: string, scene: Scene): boolean {
  return compiledOnce(stored)(scene);
}

export const sceneOf = (situation: Situation): Scene => new Scene(situation);

const NEVER: Holds = () => false;
const MAX_KEPT = 20_000;
const kept = new Map<string, Holds>();

/** Compiles each condition once and caches it. */
function compiledOnce(stored: string): Holds {
  const found = kept.get(stored);
  if (found) return found;
  let holds: Holds;
  try {
    holds = compiled(parsedJson(stored), "trigger");
  } catch {
    holds = NEVER; // The list of triggers still shows its text.
  }
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(stored, holds);
  return holds;
}

function compiled(read: unknown, path: string): Holds {
  if (typeof read !== "string") return compileJson(read, path);
  try {
    return compileExpression(read);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const refusal = invalid([{ path, message: `${error.message} (at character ${error.at})` }], { at: error.at });
    if (/[()]/.test(read)) throw refusal;
    const hint = 'for words that are said, write {"any": ["word", "another"]}';
    throw new ChestError(refusal.code, refusal.message, { details: refusal.details, hint });
  }
}

function checked(read: Record<string, unknown>, path: string): Record<string, unknown> {
  const { error } = schema().safeParse(read);
  if (!error) return read;
  const issues = error.issues.slice(0, 10).flatMap((issue) => {
    const at = [path, ...issue.path.map(String)];
    if (issue.code !== "unrecognized_keys") return [{ path: at.join("."), message: issue.message }];
    return issue.keys.map((key) => ({ path: [...at, key.slice(0, 80)].join("."), message: "is not allowed here" }));
  });
  throw invalid(issues);
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isDate = (value: unknown) => isObject(value) && isNumber(value.month) && isNumber(value.day);
const listOf = (isItem: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(isItem);

const KINDS: Readonly<Record<keyof Condition, (value: unknown) => boolean>> = {
  any: listOf(isText),
  all: listOf(isText),
  none: listOf(isText),
  scope: isText,
  depth: isNumber,
  dates: listOf(isDate),
  weekdays: listOf(isText),
  hours: listOf(isNumber),
  after: isText,
  before: isText,
  files: listOf(isText),
  projects: listOf(isText),
  conversations: listOf(isText),
};

/** Whether a stored condition can be evaluated: an imported one was not checked. */
function isCondition(read: unknown): read is Condition {
  if (!isObject(read)) return false;
  return Object.entries(read).every(
    ([name, value]) => Object.hasOwn(KINDS, name) && KINDS[name as keyof Condition](value),
  );
}

function compileJson(read: unknown, path: string): Holds {
  if (!isCondition(read)) throw invalid([{ path, message: "is no condition" }]);
  const tests = testsOf(read, path);
  if (tests.length === 0) {
    throw invalid([{ path, message: "names nothing that could hold: give `any`, `all`, `dates` or the like" }]);
  }
  return (scene) => tests.every((test) => test(scene));
}

/** A list that is a real restriction; undefined if it contains every value. */
const choiceOf = <T>(input: readonly T[] | undefined, all: number): readonly T[] | undefined =>
  input && new Set(input).size < all ? input : undefined;

function testsOf(input: Condition, path: string): Holds[] {
  const { scope = DEFAULT_WITHIN.scope, depth = DEFAULT_WITHIN.depth } = input;
  const within: Within = { scope, depth: Math.min(depth, MAX_DEPTH) };
  const read = (name: "any" | "all" | "none") =>
    input[name]?.map((text, at): Key => {
      const key = matchKeyOf(text);
      if (!key) throw invalid([{ path: `${path}.${name}.${at}`, message: "is blank" }]);
      return key;
    });
  const moment = (name: "after" | "before") => {
    const text = input[name];
    return text === undefined ? undefined : readMoment(text, `${path}.${name}`);
  };
  const [any, all, none] = [read("any"), read("all"), read("none")];
  const [after, before] = [moment("after"), moment("before")];
  const { dates, files, projects, conversations } = input;
  const [weekdays, hours] = [choiceOf(input.weekdays, WEEKDAYS.length), choiceOf(input.hours, HOURS)];
  const globs = files?.map(globOf);
  const keys = projects?.flatMap((key) => [key, repositoryKeyOf(key)]);
  const tests: (Holds | undefined)[] = [
    any && ((scene) => scene.matches(any, within) > 0),
    all && ((scene) => scene.holdsAll(all, within)),
    none && ((scene) => scene.matches(none, within) === 0),
    dates &&
      (({ situation: { now } }) =>
        dates.some(({ month, day }) => now.getMonth() + 1 === month && now.getDate() === day)),
    weekdays && (({ situation: { now } }) => weekdays.some((day) => WEEKDAYS[now.getDay()] === day)),
    hours && (({ situation: { now } }) => hours.includes(now.getHours())),
    after && (({ situation: { now } }) => now >= after),
    before && (({ situation: { now } }) => now < before),
    globs && (({ files: paths }) => paths.some((names) => globs.some((matches) => matches(names)))),
    keys && (({ situation }) => projectKeys(situation)?.some((key) => keys.includes(key)) ?? false),
    conversations && (({ situation: { conversationId: id } }) => id !== undefined && conversations.includes(id)),
  ];
  return tests.filter((test) => test !== undefined);
}
