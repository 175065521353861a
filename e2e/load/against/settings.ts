/** Error for a missing or wrong argument; the command prints it in one line and ends with code 2. */
export class UsageError extends Error {}

export interface AgainstSettings {
  /** Commit as the user named it. */
  readonly ref: string;
  /** Names of the measures to take, in their fixed order. */
  readonly measures: readonly string[];
  /** Numbers of memories in the stores that are searched. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly hasRival: boolean;
}

/** Options of the command line, as typed. */
interface Given {
  readonly only?: string | undefined;
  readonly size?: string | undefined;
  readonly rounds?: string | undefined;
  readonly rival?: boolean | undefined;
}

const USUAL_SIZES = "1000,10000";
const USUAL_ROUNDS = "7";

/** @param names names of all measures */
export function readAgainst(positionals: readonly string[], value: Given, names: readonly string[]): AgainstSettings {
  const [ref, surplus] = positionals;
  if (!ref) throw new UsageError("which commit? `npm run bench -- against REF` takes one, such as a tag or a hash");
  if (surplus !== undefined)
    throw new UsageError(`unexpected argument \`${surplus}\`: one commit is compared at a time`);
  const only = value.only?.split(",").map((name) => name.trim()) ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`no measure is named \`${unknown}\`: there are ${names.join(", ")}`);
  return {
    ref,
    measures: names.filter((name) => only.includes(name)),
    sizes: (value.size ?? USUAL_SIZES).split(",").map((size) => countOf("--size", size)),
    rounds: countOf("--rounds", value.rounds ?? USUAL_ROUNDS),
    hasRival: value.rival ?? false,
  };
}

function countOf(option: string, value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value.trim())) throw new UsageError(`\`${option}\` takes whole numbers, not \`${value}\``);
  return Number(value);
}
