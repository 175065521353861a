import { readdirSync, readFileSync } from "node:fs";

const TICK_MS = 10;
// Fields after the name: the parent, and the processor time of the process and of its finished children.
const [PARENT, USER, SYSTEM, ENDED_USER, ENDED_SYSTEM] = [1, 11, 12, 13, 14];

/** Reads the processor time of all processes of a database server. */
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
    return undefined; // The process has just ended.
  }
}
