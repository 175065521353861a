import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";

/** Memories that maintenance beside an agent archived, until a session has been told. */
export interface MaintenanceNote {
  /** ISO 8601, of the first run. */
  readonly since: string;
  /** Runs of the store's journal, the newest last. */
  readonly runs: readonly number[];
  /** Memories by the pass that archived them. */
  readonly archived: Readonly<Record<string, number>>;
}

/** File of the note, beside the store that it is about. */
const noteFile = (storePath: string): string => `${storePath}.maintained`;

// More runs than a line has room for.
const MOST_RUNS = 5;

/** Adds a run to the note. Only the process that holds the right to maintenance does. */
export function noteMaintenance(storePath: string, runId: number, archived: Readonly<Record<string, number>>): void {
  const before = readNote(noteFile(storePath));
  const passes = new Set([...Object.keys(before?.archived ?? {}), ...Object.keys(archived)]);
  const note: MaintenanceNote = {
    since: before?.since ?? new Date().toISOString(),
    runs: [...(before?.runs ?? []), runId].slice(-MOST_RUNS),
    archived: Object.fromEntries(
      [...passes].map((pass) => [pass, (before?.archived[pass] ?? 0) + (archived[pass] ?? 0)]),
    ),
  };
  const unfinished = `${noteFile(storePath)}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(note), { mode: 0o600 });
  renameSync(unfinished, noteFile(storePath));
}

/** Takes the note, so that one session is told; undefined where there is none. */
export function takeMaintenanceNote(storePath: string): MaintenanceNote | undefined {
  const taken = `${noteFile(storePath)}.taken-${process.pid}`;
  try {
    renameSync(noteFile(storePath), taken);
  } catch {
    return undefined; // Nothing was done, or another session was told.
  }
  const note = readNote(taken);
  unlinkSync(taken);
  return note;
}

/** The note as one line, with the command that undoes it. */
export function maintenanceLine({ runs, archived }: MaintenanceNote): string {
  const counts = Object.entries(archived).filter(([, count]) => count > 0);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const passes = counts.map(([pass, count]) => `${pass} ${count}`).join(", ");
  const undo = runs.map((run) => `\`chest-index unarchive --run ${run}\``).join(", ");
  return `Maintenance archived ${all} ${all === 1 ? "memory" : "memories"} since the last session (${passes}); ${undo} undoes it.`;
}

function readNote(file: string): MaintenanceNote | undefined {
  try {
    const { since, runs, archived } = JSON.parse(readFileSync(file, "utf8"));
    if (typeof since !== "string" || !Array.isArray(runs) || typeof archived !== "object") return undefined;
    const counts = Object.entries(archived ?? {}).filter((entry): entry is [string, number] =>
      Number.isInteger(entry[1]),
    );
    return { since, runs: runs.filter((run) => Number.isInteger(run)), archived: Object.fromEntries(counts) };
  } catch {
    return undefined; // None, or torn: the journal in the store has it all.
  }
}
