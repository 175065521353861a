import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Call,
  type Caller,
  type CapturePorts,
  captureMemoryFiles,
  captureTranscript,
  DEFAULT_LIMITS,
  type Engine,
  memoryFilesInput,
  onPreCompact,
  onSessionEnd,
  readFields,
  systemClock,
} from "@chest/core";
import { type Env, ensureFolder, loadStores } from "@chest/runtime";
import { operatorHere } from "../connect/access-admin.ts";
import type { Config } from "../connect/config.ts";
import { identityOfNew } from "../connect/models-config.ts";
import { linesOf } from "./read.ts";
import { machineOf, type Taken, type Taker } from "./take.ts";

/** Takes transcripts into the store of this machine, which the first of them makes. A dry run makes and changes nothing. */
export async function takingHere<T>(
  config: Config,
  { isDry, env }: { readonly isDry: boolean; readonly env: Env },
  work: (taker: Taker) => Promise<T>,
): Promise<T> {
  const { dbPath, dataDir } = config;
  if (isDry && !existsSync(dbPath)) return work(takerDry(dbPath));
  const active = identityOfNew(config, env);
  ensureFolder(dirname(dbPath));
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  const engine = await openSqliteEngine({ path: dbPath, active, writePatienceMs: Number.POSITIVE_INFINITY });
  try {
    return await work(takerInto(dbPath, engine, isDry, machineOf(dataDir)));
  } finally {
    await engine.close();
  }
}

/** Says what would be taken where nothing is yet. */
export const takerDry = (into: string): Taker => takerInto(into, undefined, true);

function takerInto(into: string, engine: Engine | undefined, isDryRun: boolean, machine = ""): Taker {
  return {
    into,
    async takeNotes({ folder, project, files, present }) {
      if (isDryRun || !engine) return {};
      const asked = readFields(memoryFilesInput, { machine, folder, files, present });
      const caller = operatorHere(project);
      const store = engine.as(callOf(caller));
      const { contentChars } = DEFAULT_LIMITS;
      return (await captureMemoryFiles(asked, { store, clock: systemClock, contentChars }, caller)).memories;
    },
    async keep(session, project, occasion) {
      if (isDryRun || !engine) return;
      const keep = occasion === "precompact" ? onPreCompact : onSessionEnd;
      await keep({ session_id: session }, engine.as(callOf(operatorHere(project))));
    },
    async take({ path, session, project }, onBytes): Promise<Taken> {
      const caller = operatorHere(project);
      const store = engine?.as(callOf(caller)) ?? NOTHING_TAKEN;
      const ports = { store, clock: systemClock };
      const report = await captureTranscript(() => linesOf(path, onBytes), { session, isDryRun }, ports, caller);
      if (!report) return { lines: 0, skippedLines: 0, memories: {}, edits: 0, found: {}, dropped: {} };
      const { memories, edits, tally } = report;
      const skippedLines = Object.values(tally.skipped).reduce((sum, lines) => sum + lines, 0);
      return { lines: tally.lines, skippedLines, memories, edits, found: tally.kept, dropped: tally.dropped };
    },
  };
}

const callOf = (caller: Caller): Call => ({
  caller,
  requestId: randomUUID(),
  signal: new AbortController().signal,
  request: { tool: "import", input: null },
});

/** The store that is not there yet, as a dry run asks it. */
const NOTHING_TAKEN: CapturePorts["store"] = {
  sessions: { progress: async () => undefined },
  write: async () => {
    throw new Error("a dry run writes nothing");
  },
};
