import { constants, globSync, statSync } from "node:fs";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { thisMachine } from "../../support/deployment/machine.ts";
import { MatchFloor } from "../floors/match.ts";
import { atRest } from "../process-use.ts";
import { startBenchServer } from "../server.ts";
import { type Cell, type CellOptions, cellsOf } from "./cells.ts";
import { measureCell, questionsOf } from "./measure.ts";
import type { Line } from "./report.ts";
import { storeWithVectors } from "./store.ts";

interface Settings extends CellOptions {
  readonly seconds: number;
  readonly searchThreads: number;
  /** Deleted after the run. */
  readonly workDir: string;
  onLine(line: Line): void;
}

/** Measures the duration and cost of a recall for each requested size of store and number of clients. */
export async function curve(settings: Settings): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [rows, cells] of Map.groupBy(cellsOf(settings), (cell) => cell.rows))
    lines.push(...(await overOneStore(rows, cells, settings)));
  return lines;
}

/** Starts one backend for all cells of a size, so that each cell finds it warm from the one before. */
async function overOneStore(rows: number, cells: readonly Cell[], settings: Settings): Promise<Line[]> {
  const { searchThreads, seconds, workDir } = settings;
  const storeFile = await storeWithVectors(rows);
  const dataDir = join(workDir, "data");
  await mkdir(dataDir, { recursive: true });
  // Memories stored during the measurement must not remain in the kept store.
  await copyFile(storeFile, join(dataDir, "chest.db"), constants.COPYFILE_FICLONE);
  const server = await startBenchServer(workDir, { CHEST_SEARCH_THREADS: String(searchThreads) });
  const store = new MatchFloor(storeFile);
  const lines: Line[] = [];
  try {
    await atRest(server.pid);
    for (const cell of cells) {
      const load = loadavg()[0] ?? 0;
      const measured = await measureCell(server, cell, questionsOf(cell, store), seconds);
      const day = new Date().toISOString().slice(0, 10);
      const diskMb = sizeMb(dataDir);
      const line = { ...cell, ...measured, searchThreads, seconds, diskMb, machine: thisMachine(), load, day };
      settings.onLine(line);
      lines.push(line);
    }
  } finally {
    store.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return lines;
}

const sizeMb = (folder: string): number =>
  globSync("chest.db*", { cwd: folder }).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0) / 2 ** 20;
