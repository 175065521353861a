import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeBareClone } from "../../support/deployment/clone.ts";
import { npmStart } from "../../support/deployment/npm-start.ts";
import { freePort } from "../../support/free-port.ts";
import { ROOT } from "../../support/process.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { median } from "../rounds.ts";

const RUNNING = "Chest is running";
const PATIENCE_MS = 300_000;
const POLL_MS = 20;
const DISK_EVERY_MS = 1000;
const PAGE = "apps/web/dist/index.html";
const CLIENT = "apps/mcp/dist/chest-index.js";

/** Measures `npm start` in a clone where nothing is, with an empty home: what a newcomer waits for, and what it takes. */
export const firstStart: Bench = async ({ rounds }) => {
  const starts: FirstStart[] = [];
  for (let round = 0; round < rounds; round++) starts.push(await startFirst(ROOT));
  const of = (name: keyof FirstStart) => median(starts.map((start) => start[name]));
  const inMs = (name: string, value: number, most?: number): Figure => ({
    name,
    value,
    unit: "ms",
    ...(most !== undefined && { goal: atMost(most, value, `${most / 1000} s`) }),
  });
  const inMb = (name: string, value: number, most: number): Figure => ({
    name,
    value,
    unit: "MB",
    goal: atMost(most, value, `${most} MB`),
  });
  return [
    { ...inMs("first `npm start`: it is running", of("runningMs"), 10_000), cpuMs: of("runningCpuMs") },
    inMs("  `setup` can run", of("clientsMs")),
    { ...inMs("  the page is there", of("pageMs")), cpuMs: of("pageCpuMs") },
    { ...inMs("later `npm start`: it is running", of("laterMs"), 1500), cpuMs: of("laterCpuMs") },
    inMb("  on disk when it is running", of("runningMb"), 300),
    inMb("  on disk at most", of("peakMb"), 600),
    inMb("  on disk afterwards", of("restMb"), 240),
  ];
};

interface FirstStart {
  readonly runningMs: number;
  /** Processor time of all processes up to then. */
  readonly runningCpuMs: number;
  readonly clientsMs: number;
  readonly pageMs: number;
  readonly pageCpuMs: number;
  readonly laterMs: number;
  readonly laterCpuMs: number;
  readonly runningMb: number;
  readonly peakMb: number;
  readonly restMb: number;
}

/** Starts a checkout's sources once from nothing and once again, in a new folder. */
async function startFirst(root: string): Promise<FirstStart> {
  const newcomer = newcomerWith(root);
  try {
    const first = await newcomer.start();
    const runningMb = newcomer.usedMb();
    let peakMb = runningMb;
    let lookedAt = 0;
    const isMade = (file: string) => () => {
      // Counting files takes time that the builds would have.
      if (performance.now() - lookedAt > DISK_EVERY_MS) {
        peakMb = Math.max(peakMb, newcomer.usedMb());
        lookedAt = performance.now();
      }
      return newcomer.has(file);
    };
    const clients = await first.until(isMade(CLIENT));
    const page = await first.until(isMade(PAGE));
    while (newcomer.has(".launcher")) await sleep(POLL_MS);
    const restMb = newcomer.usedMb();
    await first.end();
    const later = await newcomer.start();
    await later.end();
    return {
      runningMs: first.running.ms,
      runningCpuMs: first.running.cpuMs,
      clientsMs: clients.ms,
      pageMs: page.ms,
      pageCpuMs: page.cpuMs,
      laterMs: later.running.ms,
      laterCpuMs: later.running.cpuMs,
      runningMb,
      peakMb,
      restMb,
    };
  } finally {
    newcomer.remove();
  }
}

/** Starts a checkout's sources from nothing until they run, and ends. */
export async function startUntilRunning(root: string): Promise<Took> {
  const newcomer = newcomerWith(root);
  try {
    const { running, end } = await newcomer.start();
    await end();
    return running;
  } finally {
    newcomer.remove();
  }
}

interface Took {
  readonly ms: number;
  /** Processor time of all processes. */
  readonly cpuMs: number;
}

/** A fresh clone of a checkout and an empty home. */
function newcomerWith(root: string) {
  const clone = makeBareClone(root);
  const home = mkdtempSync(join(tmpdir(), "chest-home-"));
  return {
    has: (file: string) => existsSync(join(clone.dir, file)),
    usedMb: () => diskMb([clone.dir, home]),
    async start() {
      const env = {
        HOME: home,
        CHEST_PORT: String(await freePort()),
        // The registry that this machine asks; nothing else of its user.
        npm_config_userconfig: join(homedir(), ".npmrc"),
      };
      const startedAt = performance.now();
      const started = npmStart(clone.dir, env);
      const until = async (isThere: () => boolean): Promise<Took> => {
        while (!isThere()) {
          const hasFailed = started.process.exitCode !== null || started.output().includes("failed with code");
          if (hasFailed || performance.now() - startedAt > PATIENCE_MS)
            throw new Error(`no first start:\n${started.output()}`);
          await sleep(POLL_MS);
        }
        return { ms: performance.now() - startedAt, cpuMs: cpuMsOfAll(started.process.pid ?? 0) };
      };
      const running = await until(() => started.output().includes(RUNNING));
      const end = async () => {
        started.terminate();
        await started.ended();
      };
      return { running, until, end };
    },
    remove() {
      rmSync(home, { recursive: true, force: true, maxRetries: 20 });
      clone.remove();
    },
  };
}

function diskMb(folders: readonly string[]): number {
  try {
    const used = execFileSync("du", ["--summarize", "--total", "--block-size=1M", ...folders], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return Number.parseInt(used.trim().split("\n").at(-1) ?? "", 10);
  } catch (error) {
    // A file went while it was counted.
    return Number.parseInt(
      String((error as { stdout?: string }).stdout)
        .trim()
        .split("\n")
        .at(-1) ?? "",
      10,
    );
  }
}

// Fields of `/proc/PID/stat` from the last bracket on: the parent, then its own time and that of children that ended.
const [PARENT, ...TIMES] = [1, 11, 12, 13, 14];
const TICK_MS = 10;

/** Processor time of a process and of all below it, those that have ended included. */
function cpuMsOfAll(root: number): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const fields = statOf(pid);
      return fields ? [{ pid: Number(pid), fields }] : [];
    });
  const below = (pid: number): number =>
    processes
      .filter((each) => each.pid === pid || Number(each.fields[PARENT ?? 0]) === pid)
      .reduce((sum, each) => sum + (each.pid === pid ? timesOf(each.fields) : below(each.pid)), 0);
  return TICK_MS * below(root);
}

const timesOf = (fields: readonly string[]) => TIMES.reduce((sum, at) => sum + Number(fields[at]), 0);

function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // It has ended.
  }
}
