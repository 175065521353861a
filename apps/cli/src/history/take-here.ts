import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type CapturePorts, captureTranscript, type Engine, systemClock } from "@chest/core";
import { loadStores } from "@chest/runtime";
import type { Config } from "../config.ts";
import { operatorHere } from "../desk.ts";
import { linesOf } from "./read.ts";
import type { Taken, Taker } from "./take.ts";

/** Takes transcripts into the store of this machine, which the first of them makes. A dry run makes and changes nothing. */
export async function takingHere<T>(
  { dbPath }: Config,
  isDry: boolean,
  work: (taker: Taker) => Promise<T>,
): Promise<T> {
  if (isDry && !existsSync(dbPath)) return work(takerDry(dbPath));
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  const engine = await openSqliteEngine({ path: dbPath });
  try {
    return await work(takerInto(dbPath, engine, isDry));
  } finally {
    await engine.close();
  }
}

/** Says what would be taken where nothing is yet. */
export const takerDry = (into: string): Taker => takerInto(into, undefined, true);

function takerInto(into: string, engine: Engine | undefined, isDryRun: boolean): Taker {
  return {
    into,
    async take({ path, session, project }, onBytes): Promise<Taken> {
      const caller = { ...operatorHere(), project };
      const call = { caller, requestId: randomUUID(), signal: new AbortController().signal };
      const store = engine?.as({ ...call, request: { tool: "import", input: null } }) ?? NOTHING_TAKEN;
      const ports = { store, clock: systemClock };
      const report = await captureTranscript(() => linesOf(path, onBytes), { session, isDryRun }, ports, caller);
      if (!report) return { lines: 0, skippedLines: 0, memories: {}, edits: 0, found: {}, dropped: {} };
      const { memories, edits, tally } = report;
      const skippedLines = Object.values(tally.skipped).reduce((sum, lines) => sum + lines, 0);
      return { lines: tally.lines, skippedLines, memories, edits, found: tally.kept, dropped: tally.dropped };
    },
  };
}

/** The store that is not there yet, as a dry run asks it. */
const NOTHING_TAKEN: CapturePorts["store"] = {
  sessions: { progress: async () => undefined },
  write: async () => {
    throw new Error("a dry run writes nothing");
  },
};
