import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Caller } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { onPreCompact, onSessionEnd } from "@chest/core/hooks";
import { type EmbeddingIdentity, type Engine, systemClock } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import { captureMemoryFiles, captureTranscript, memoryFilesInput } from "@chest/core/transcript";
import { type Env, ensureFolder, loadStores } from "@chest/runtime";
import { operatorHere } from "../connect/access-admin.ts";
import type { Config } from "../connect/config.ts";
import { openDatabase } from "../connect/local-store.ts";
import { identityOfNew } from "../connect/models-config.ts";
import { linesOf } from "./read.ts";
import { type ImportedCounts, machineOf, type TakeOptions, type TranscriptSink } from "./take.ts";

/**
 * Imports transcripts into this machine's store, which the first transcript creates. A dry run changes nothing; where
 * no store exists, it uses a temporary one.
 */
export async function withLocalSink<T>(
  config: Config,
  options: TakeOptions & { readonly env: Env },
  work: (sink: TranscriptSink) => Promise<T>,
): Promise<T> {
  const { dbPath, dataDir, database } = config;
  const { contentChars } = config.limits;
  const active = identityOfNew(config, options.env);
  if (database) {
    const into = {
      named: database.shown,
      machine: machineOf(dataDir),
      contentChars,
      open: () => openDatabase(database, active),
    };
    return takingInto(into, options, work);
  }
  if (options.isDry && !existsSync(dbPath)) {
    const folder = await mkdtemp(join(tmpdir(), "chest-dry-run-"));
    try {
      const path = join(folder, "chest.db");
      const into = { named: dbPath, machine: "dry-run", contentChars, open: () => openFile(path, active) };
      return await takingInto(into, { ...options, isDry: false }, (sink) => work({ ...sink, keep: async () => {} }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  ensureFolder(dirname(dbPath));
  const into = { named: dbPath, machine: machineOf(dataDir), contentChars, open: () => openFile(dbPath, active) };
  return takingInto(into, options, work);
}

interface Into {
  open(): Promise<Engine>;
  /** Name of the destination in the report. */
  readonly named: string;
  readonly machine: string;
  /** Longest content of one memory. */
  readonly contentChars: number;
}

async function takingInto<T>(into: Into, options: TakeOptions, work: (sink: TranscriptSink) => Promise<T>): Promise<T> {
  const engine = await into.open();
  try {
    return await work(takerInto(into, engine, options));
  } finally {
    await engine.close();
  }
}

async function openFile(path: string, active: EmbeddingIdentity | undefined): Promise<Engine> {
  const { openSqliteEngine } = await loadStores(() => import("@chest/store-sqlite"));
  return openSqliteEngine({ path, active, writePatienceMs: Number.POSITIVE_INFINITY });
}

function takerInto(
  { named, machine, contentChars }: Into,
  engine: Engine,
  { isDry, keepOld }: TakeOptions,
): TranscriptSink {
  return {
    into: named,
    async takeNotes({ folder, project, files, present }) {
      const fields = readFields(memoryFilesInput, { machine, folder, files, present, dry_run: isDry });
      const caller = operatorHere(project);
      const store = engine.as(callOf(caller));
      const ports = { store, clock: systemClock, contentChars };
      return (await captureMemoryFiles(fields, ports, caller)).memories;
    },
    async keep(session, project, occasion) {
      if (isDry) return;
      const keep = occasion === "precompact" ? onPreCompact : onSessionEnd;
      const caller = operatorHere(project);
      await keep({ session_id: session }, engine.as(callOf(caller)), caller);
    },
    async take({ path, session, project }, onBytes): Promise<ImportedCounts> {
      const caller = operatorHere(project);
      const ports = { store: engine.as(callOf(caller)), clock: systemClock };
      const options = { session, isDryRun: isDry, keepOld };
      const report = await captureTranscript(() => linesOf(path, onBytes), options, ports, caller);
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
