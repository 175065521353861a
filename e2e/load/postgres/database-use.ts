import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;
// Fields behind the name: parent, and processor time of the process and of its children that have ended.
const [PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14];

/** Processor time that a database server has used so far, with all its processes. */
export function databaseCpuMs(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (!fields) continue;
    const isServer = name === String(pid);
    if (!isServer && fields[PARENT] !== String(pid)) continue;
    ticks += Number(fields[USER]) + Number(fields[SYSTEM]);
    if (isServer) ticks += Number(fields[ENDED_USER]) + Number(fields[ENDED_SYSTEM]);
  }
  return TICK_MS * ticks;
}

function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // It has just ended.
  }
}
