/** An argument is missing or wrong: the command says so in one line and ends with code 2. */
export class UsageError extends Error {}

export interface AgainstSettings {
  /** The commit as it was named. */
  readonly ref: string;
  /** Names of the measures to take, in the order of all of them. */
  readonly measures: readonly string[];
  /** How many memories the stores hold that are searched. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly hasRival: boolean;
}

/** Options of the command line, as they were given. */
interface Given {
  readonly only?: string | undefined;
  readonly size?: string | undefined;
  readonly rounds?: string | undefined;
  readonly rival?: boolean | undefined;
}

const USUAL_SIZES = "1000,10000";
const USUAL_ROUNDS = "7";

/** @param names measures that there are */
export function readAgainst(positionals: readonly string[], given: Given, names: readonly string[]): AgainstSettings {
  const [ref, surplus] = positionals;
  if (!ref) throw new UsageError("which commit? `npm run bench -- against REF` takes one, such as a tag or a hash");
  if (surplus !== undefined)
    throw new UsageError(`unexpected argument \`${surplus}\`: one commit is compared at a time`);
  const only = given.only?.split(",").map((name) => name.trim()) ?? names;
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`no measure is named \`${unknown}\`: there are ${names.join(", ")}`);
  return {
    ref,
    measures: names.filter((name) => only.includes(name)),
    sizes: (given.size ?? USUAL_SIZES).split(",").map((size) => countOf("--size", size)),
    rounds: countOf("--rounds", given.rounds ?? USUAL_ROUNDS),
    hasRival: given.rival ?? false,
  };
}

function countOf(option: string, given: string): number {
  if (!/^[1-9]\d{0,6}$/.test(given.trim())) throw new UsageError(`\`${option}\` takes whole numbers, not \`${given}\``);
  return Number(given);
}
