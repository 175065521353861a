/** A point of the curve: number of memories, kind of query, and number of concurrent clients. */
export interface Cell {
  readonly rows: number;
  readonly clients: number;
  /** `project` searches one project of twenty. */
  readonly scope: "project" | "all";
  readonly leg: "words" | "hybrid";
}

const EVERYTHING = {
  rows: [1000, 10_000, 100_000, 1_000_000],
  clients: [1, 8, 32],
  scope: ["project", "all"],
  leg: ["words", "hybrid"],
} as const;

export interface CellOptions {
  readonly rows?: string | undefined;
  readonly clients?: string | undefined;
  readonly scope?: string | undefined;
  readonly leg?: string | undefined;
}

/** Selects the requested cells. Each option is a list with commas; without it, all values are used. */
export function cellsOf(wanted: CellOptions): Cell[] {
  const scopes = among("scope", wanted.scope, EVERYTHING.scope);
  const legs = among("leg", wanted.leg, EVERYTHING.leg);
  return counts("rows", wanted.rows, EVERYTHING.rows).flatMap((rows) =>
    legs.flatMap((leg) =>
      scopes.flatMap((scope) =>
        counts("clients", wanted.clients, EVERYTHING.clients).map((clients) => ({ rows, clients, scope, leg })),
      ),
    ),
  );
}

function counts(name: string, given: string | undefined, all: readonly number[]): readonly number[] {
  const list = given?.split(",").map(Number);
  if (list?.some((count) => !Number.isInteger(count) || count < 1))
    throw new Error(`--${name}: \`${given}\` is no count`);
  return list ?? all;
}

function among<T extends string>(name: string, given: string | undefined, all: readonly T[]): readonly T[] {
  const list = given?.split(",") ?? all;
  const strange = list.find((value) => !all.includes(value as T));
  if (strange !== undefined) throw new Error(`--${name}: \`${strange}\` is none of ${all.join(", ")}`);
  return list as readonly T[];
}
