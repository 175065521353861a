import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

// Linux counts processor time in hundredths of a second.
const TICK_MS = 10;
const [USER, SYSTEM] = [11, 12];

/** Processor time a process has used so far, in all its threads. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of a program may hold blanks and brackets; what follows its last bracket does not.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER]) + Number(fields[SYSTEM]));
}

/** Share of one core that a process at rest uses. */
const AT_REST = 0.05;

/**
 * Until a process has done what it began by itself: reading its vectors, looking through its file, reading ahead.
 * @param stepMs it rests when it has rested for three such steps
 */
export async function atRest(pid: number, stepMs = 1000): Promise<void> {
  for (let before = cpuMsOf(pid), steps = 0; steps < 3; ) {
    await sleep(stepMs);
    const now = cpuMsOf(pid);
    steps = now - before <= AT_REST * stepMs ? steps + 1 : 0;
    before = now;
  }
}

/** Processor time of all processes that this one has started and waited for. */
export function childrensCpuMs(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER + 2]) + Number(fields[SYSTEM + 2]));
}

/** Memory of a process that lies in RAM. */
export function residentMbOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  if (kib === undefined) throw new Error(`process ${pid} has no memory: it has ended`);
  return Number(kib) / 1024;
}
