import { parseArgs } from "node:util";
import { isSecret } from "@chest/runtime/own-name";
import { asWord } from "@chest/runtime/shell-words";
import type { ArgsDef, CommandDef } from "citty";

/** Usage error: the arguments name no command of this program, or do not fit it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

export interface FoundCommand {
  readonly command: CommandDef;
  /** Full name of a command, such as `doctor client`. */
  readonly path: string;
  readonly rest: readonly string[];
}

/** Commands of other memory systems, with the Chest command for each. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  decay: ["up", "--decay"],
  prune: ["up", "--pass=prune"],
  dedup: ["up", "--pass=supersession"],
  compress: ["up", "--pass=digest,consolidation"],
  browse: ["page"],
};

/** Replaces another system's command by Chest's. */
export function inOwnWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const name = words[at] ?? "";
  return Object.hasOwn(OTHER_NAMES, name) ? words.toSpliced(at, 1, ...(OTHER_NAMES[name] ?? [])) : words;
}

/**
 * Finds and loads the command that the words name. @returns the command and the remaining words. @throws `UsageError`.
 */
export async function findCommand(root: CommandDef, words: readonly string[]): Promise<FoundCommand> {
  let found: FoundCommand = { command: root, path: "", rest: inOwnWords(words) };
  for (;;) {
    const children = await resolved(found.command.subCommands);
    if (!children) return found;
    const at = found.rest.findIndex((word) => !word.startsWith("-"));
    const name = found.rest[at];
    if (name === undefined) return found;
    const child = Object.hasOwn(children, name) ? await resolved(children[name]) : undefined;
    const rest = found.rest.toSpliced(at, 1);
    const { path } = found;
    if (!child) {
      throw unknown(`unknown command \`${shown(name)}\``, path, nearest(name, Object.keys(children)), (like) => [
        ...path.split(" "),
        like,
        ...rest,
      ]);
    }
    found = { command: child, path: `${path} ${name}`.trim(), rest };
  }
}

/** Marks an argument that takes several words. */
export const MANY = "…";

/** Refuses unknown arguments before the command does anything. */
export function checkWords(args: ArgsDef, { path, rest }: FoundCommand): void {
  const flags = Object.entries(args).filter(([, { type }]) => type !== "positional");
  const options = Object.fromEntries(
    flags.flatMap(([name, { type, ...rest }]) => {
      const aliases = "alias" in rest && rest.alias ? [rest.alias].flat() : [];
      const option = { type: type === "boolean" ? ("boolean" as const) : ("string" as const) };
      return [name, ...aliases].map((word) => [word, option] as const);
    }),
  );
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, tokens: true });
  const positionals = tokens.filter(({ kind }) => kind === "positional");
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const type = Object.hasOwn(options, token.name) ? options[token.name]?.type : undefined;
    if (!type) {
      const like = nearest(
        token.rawName,
        flags.map(([name]) => `--${name}`),
      );
      throw unknown(`unknown flag \`${shown(token.rawName)}\``, path, like, (flag) => [
        ...path.split(" "),
        ...rest.with(token.index, (rest[token.index] ?? "").replace(token.rawName, flag)),
      ]);
    }
    if (type === "string" && !token.value) throw new UsageError(`\`${token.rawName}\` needs a value`, helpFor(path));
    if (type === "boolean" && token.value !== undefined) {
      throw new UsageError(`\`${token.rawName}\` takes no value`, helpFor(path));
    }
  }
  const wanted = Object.entries(args).filter(([, { type }]) => type === "positional");
  const takesMany = wanted.some(([, { valueHint }]) => valueHint === MANY);
  const extra = takesMany ? undefined : positionals[wanted.length];
  if (extra?.kind === "positional") {
    throw new UsageError(`unexpected argument \`${shown(extra.value)}\``, helpFor(path));
  }
  const passed = new Set(tokens.map((token) => (token.kind === "option" ? token.name : "")));
  const [missing] = [
    ...wanted.filter(([, arg], at) => at >= positionals.length && isRequired(arg)).map(([name]) => name.toUpperCase()),
    ...flags.filter(([name, { required }]) => required && !passed.has(name)).map(([name]) => `--${name}`),
  ];
  if (missing) throw new UsageError(`\`${missing}\` is missing`, helpFor(path));
}

const isRequired = ({ required, default: passed }: ArgsDef[string]): boolean =>
  required !== false && passed === undefined;

const helpFor = (path: string): string =>
  `\`${["chest-index", path, "--help"].filter(Boolean).join(" ")}\` shows what it takes`;

/** @param corrected the words after the program's name, with the probable correction. */
function unknown(
  message: string,
  path: string,
  like: string | undefined,
  corrected: (like: string) => readonly string[],
): UsageError {
  if (like === undefined) return new UsageError(message, helpFor(path));
  const words = corrected(like).filter(Boolean);
  return new UsageError(message, `did you mean \`${words.some(isSecret) ? like : commandOf(words)}\`?`);
}

/** Formats a command as the user types it. */
export const commandOf = (words: readonly string[]): string => ["chest-index", ...words.map(asWord)].join(" ");

const shown = (word: string): string => word.slice(0, 80);

async function resolved<T>(passed: T | Promise<T> | (() => T | Promise<T>) | undefined): Promise<T | undefined> {
  return typeof passed === "function" ? (passed as () => T | Promise<T>)() : passed;
}

/** Reads ids separated by commas or blanks, without duplicates; a `#` before an id is accepted. */
export function readIds(passed: string): number[] {
  const ids = passed.split(/[\s,]+/).filter(Boolean);
  const bad = ids.find((id) => !/^#?[1-9]\d{0,14}$/.test(id));
  if (ids.length > 0 && bad === undefined) return [...new Set(ids.map((id) => Number(id.replace("#", ""))))];
  throw notAnId(bad ?? passed);
}

export const notAnId = (passed: string): UsageError =>
  new UsageError(`\`${shown(passed)}\` is not an id`, "ids are the numbers that `chest-index recall WORDS` shows");

/** Reads one of some words. @param what names them in the error */
export function knownWord<Word extends string>(typed: string, known: readonly Word[], what: string): Word {
  const found = known.find((word) => word === typed);
  if (found !== undefined) return found;
  throw new UsageError(`unknown ${what} \`${shown(typed)}\``, `use one of ${known.join(", ")}`);
}

/** Finds the known word that is most similar to a typed one; undefined when none is similar. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.ceil(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}

/** Counts the letters to add, drop, change or swap with a neighbour to get from one word to the other. */
function distanceOf(from: string, to: string): number {
  const letters = [...from.slice(0, 100)];
  const others = [...to];
  let before: number[] = [];
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [i, letter] of letters.entries()) {
    const next = [i + 1];
    for (const [j, other] of others.entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = letter === others[j - 1] && letters[i - 1] === other;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(changed, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? to.length;
}
