import { interleaved } from "../rounds.ts";
import type { Turns } from "./report.ts";

/** The commit does not have what is measured; the message says what. */
export class Absent extends Error {}

/** One of two that take turns. */
export interface Contestant<T> {
  turn(round: number): Promise<T>;
  end(): Promise<void>;
}

type Prepare<T> = () => Promise<Contestant<T>>;

/**
 * Theirs, ours, theirs, ours, …; ours alone where the commit does not have the thing.
 * @param prepare makes each ready, theirs first; an `Absent` that theirs throws is told on stderr
 */
export async function contest<T>(
  rounds: number,
  prepare: { readonly theirs: Prepare<T>; readonly ours: Prepare<T> },
): Promise<Turns<T>> {
  const ready: Contestant<T>[] = [];
  const made = async (one: Prepare<T>) => {
    const contestant = await one();
    ready.push(contestant);
    return contestant;
  };
  try {
    const theirs = await made(prepare.theirs).catch(unlessAbsent);
    const ours = await made(prepare.ours);
    if (!theirs) return { theirs, ours: (await interleaved(rounds, { ours: ours.turn })).ours };
    return await interleaved(rounds, { theirs: theirs.turn, ours: ours.turn });
  } finally {
    for (const contestant of ready) await contestant.end();
  }
}

function unlessAbsent(error: unknown): undefined {
  if (!(error instanceof Absent)) throw error;
  console.error(`chest: absent: ${error.message}`);
}
