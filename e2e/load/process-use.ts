import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

// Linux counts processor time in hundredths of a second.
const TICK_MS = 10;
const [USER, SYSTEM] = [11, 12];

/** Reads the processor time that a process has used in all its threads. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name may contain blanks and brackets, so fields are counted from the last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER]) + Number(fields[SYSTEM]));
}

/** Share of one core below which a process counts as at rest. */
const AT_REST = 0.05;

/**
 * Waits until a process has finished its own work after the start: loading vectors, checking its file, reading ahead.
 * @param stepMs the process is at rest after three such steps without work
 */
export async function atRest(pid: number, stepMs = 1000): Promise<void> {
  for (let before = cpuMsOf(pid), steps = 0; steps < 3; ) {
    await sleep(stepMs);
    const now = cpuMsOf(pid);
    steps = now - before <= AT_REST * stepMs ? steps + 1 : 0;
    before = now;
  }
}

/** Processor time of all finished child processes of this one. */
export function childrensCpuMs(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER + 2]) + Number(fields[SYSTEM + 2]));
}

/** Resident memory of a process. */
export function residentMbOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kib === undefined) throw new Error(`process ${pid} has no memory: it has ended`);
  return Number(kib) / 1024;
}
