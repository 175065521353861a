import { interleaved } from "../rounds.ts";
import type { Turns } from "./report.ts";

/** Thrown when the commit lacks the feature that is measured; the message names it. */
export class Absent extends Error {}

/** One of the two sides that take turns. */
export interface Contestant<T> {
  turn(round: number): Promise<T>;
  end(): Promise<void>;
}

type Prepare<T> = () => Promise<Contestant<T>>;

/**
 * Lets both sides take turns: theirs, ours, theirs, ours, and so on. If the commit lacks the feature, only ours runs.
 * @param prepare prepares each side, theirs first; an `Absent` thrown by theirs is printed on stderr
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
