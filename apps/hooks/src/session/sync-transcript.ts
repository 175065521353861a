import { ChestError } from "@chest/contracts";
import type { HookBackend } from "../backend/memory-backend.ts";
import { sinceStartMs } from "../process/clock.ts";
import type { Budget } from "../process/deadline.ts";
import type { Cursor, Journal } from "./session-journal.ts";
import { linesFrom } from "./transcript.ts";

const START: Cursor = { line: 0, offset: 0 };
// Few enough for an answer well within the budget. Each accepted batch counts, even if the hook ends soon after.
const MAX_LINES = 500;
const MAX_CHARS = 1_048_576;
const GROWTH = 4;

/**
 * Hands on what is new of a session's transcript, until all is taken or the time is over. Throws what the place says.
 * @returns whether all of it is there now.
 */
export async function syncSession(
  session: string,
  transcript: string,
  { place, journal, budget }: { readonly place: HookBackend; readonly journal: Journal; readonly budget: Budget },
): Promise<boolean> {
  let { cursor } = journal.read();
  let growth = 1;
  let tookMs = 0;
  for (let isRestarted = false; ; ) {
    // The next part will take about as long as the last one.
    if (budget.leftMs() < tookMs) return false;
    const startedAt = sinceStartMs();
    const batch = nextBatch(transcript, cursor, growth, budget);
    if (!batch) return budget.leftMs() > 0;
    try {
      const next = await place.take(session, batch.lines, batch.fromLine);
      // Lines without text go along with the next part.
      if (next <= batch.fromLine) {
        if (batch.isLast) return true;
        growth *= GROWTH;
        continue;
      }
    } catch (error) {
      // The place does not know what was sent before: it is another store, or the file was written anew.
      if (isRestarted || !(error instanceof ChestError) || error.code !== "VERSION_CONFLICT") throw error;
      isRestarted = true;
      cursor = START;
      continue;
    }
    growth = 1;
    tookMs = sinceStartMs() - startedAt;
    cursor = batch.next;
    journal.note({ taken: cursor });
    if (batch.isLast) return true;
  }
}

interface Batch {
  readonly lines: readonly string[];
  readonly fromLine: number;
  readonly next: Cursor;
  readonly isLast: boolean;
}

/** Undefined when nothing is new, or no time is left. */
function nextBatch(path: string, from: Cursor, growth: number, budget: Budget): Batch | undefined {
  const lines: string[] = [];
  let [next, chars] = [from, 0];
  for (const line of linesFrom(path, from)) {
    if (budget.leftMs() <= 0) return undefined;
    if (lines.length >= MAX_LINES * growth || chars >= MAX_CHARS * growth) {
      return { lines, fromLine: next.line - lines.length, next, isLast: false };
    }
    lines.push(line.text);
    chars += line.text.length;
    next = line.next;
  }
  return lines.length === 0 ? undefined : { lines, fromLine: next.line - lines.length, next, isLast: true };
}
