import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { linesOfStream } from "@chest/core/transcript";
import { cleanEnv, NODE_24, ROOT } from "../../support/process.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { cpuMsOf } from "../process-use.ts";
import { writeLongTranscript } from "./long-transcript.ts";

const BYTES = 50_000_000;
const CLI = join(ROOT, "apps/cli/src/main.ts");

/** Measures the import of a 50 MB session by `chest-index import`, into a local store and to a backend. */
export const importBench: Bench = async ({ workDir, startServer }) => {
  const file = join(workDir, "session.jsonl");
  const { lines } = await writeLongTranscript(file, BYTES);
  const floorMs = await readAndParse(file);
  const size = `${Math.round(statSync(file).size / 1e6)} MB, ${lines} lines`;

  const here = await takeOnce(file, { CHEST_DATA_DIR: join(workDir, "here") });
  const server = await startServer();
  try {
    const before = cpuMsOf(server.pid);
    const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: server.url, CHEST_API_TOKEN: server.token };
    const there = await takeOnce(file, { CHEST_DATA_DIR: join(workDir, "there"), ...remote });
    return [
      ...figures(`import of ${size}, local`, here, floorMs),
      ...figures(`import of ${size}, to a backend`, there, floorMs),
      { name: "  the backend's processor time", value: cpuMsOf(server.pid) - before, unit: "ms" },
      { name: "  the backend's memory at its highest", value: highestMbOf(server.pid), unit: "MB" },
      { name: "  floor: reading and parsing the lines", value: floorMs, unit: "ms" },
    ];
  } finally {
    await server.stop();
  }
};

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
  readonly highestMb: number;
}

const figures = (name: string, { ms, cpuMs, highestMb }: Took, floorMs: number): Figure[] => [
  { name, value: ms, unit: "ms", floor: floorMs, ratio: ms / floorMs, cpuMs, goal: atMost(20_000, ms, "20 s") },
  { name: "  memory at its highest", value: highestMb, unit: "MB", goal: atMost(300, highestMb, "300 MB") },
];

async function readAndParse(file: string): Promise<number> {
  const startedAt = performance.now();
  for await (const line of linesOfStream(createReadStream(file))) JSON.parse(line);
  return performance.now() - startedAt;
}

async function takeOnce(file: string, env: NodeJS.ProcessEnv): Promise<Took> {
  const startedAt = performance.now();
  const words = [CLI, "import", "--session-file", file, "--skip-embed", "--json"];
  const child = spawn(NODE_24, words, { env: cleanEnv(env), stdio: ["ignore", "pipe", "inherit"] });
  const { pid } = child;
  if (pid === undefined) throw new Error("the import did not start");
  let printed = "";
  child.stdout.on("data", (piece) => {
    printed += piece;
  });
  let [highestMb, cpuMs] = [0, 0];
  const look = setInterval(() => {
    try {
      highestMb = highestMbOf(pid);
      cpuMs = cpuMsOf(pid);
    } catch {
      // The process has just ended; the last value counts.
    }
  }, 50);
  const [code] = await once(child, "close");
  clearInterval(look);
  const ms = performance.now() - startedAt;
  const report = JSON.parse(printed);
  if (code !== 0 || !(report.memories?.inserted > 0)) throw new Error(`the import took nothing: ${printed}`);
  return { ms, cpuMs, highestMb };
}

/** Peak resident memory, as the kernel records it. */
function highestMbOf(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib ?? 0) / 1024;
}
