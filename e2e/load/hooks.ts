import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { transcriptOf } from "@chest/testing/transcript";
import { runProgram } from "../support/clients/cli.ts";
import { AgentMachine } from "../support/clients/hook.ts";
import { freePort } from "../support/free-port.ts";
import { cleanEnv } from "../support/process.ts";
import type { Bench } from "./bench.ts";
import { atMost, type Figure } from "./figures.ts";
import { childrensCpuMs } from "./process-use.ts";
import { median, percentile } from "./rounds.ts";

const A_TURN = 4;
const HEALTHY_MS = 150;
const DEAD_MS = 2000;

/** Measures an agent's hook events from the start of the process to its end, with a backend and without. */
export const hooks: Bench = async ({ rounds, startServer }) => {
  const server = await startServer();
  const hanging = createServer((socket) => socket.on("error", () => {}));
  const hangingPort = await new Promise<number>((resolve) => {
    hanging.listen(0, "127.0.0.1", () => resolve((hanging.address() as { port: number }).port));
  });
  const to = (url: string) => ({ CHEST_MODE: "remote", CHEST_REMOTE_URL: url, CHEST_API_TOKEN: server.token });
  const machines = {
    backend: new AgentMachine(to(server.url)),
    "this machine": new AgentMachine(),
    "nothing listens": new AgentMachine(to(`http://127.0.0.1:${await freePort()}`)),
    "the backend hangs": new AgentMachine(to(`http://127.0.0.1:${hangingPort}`)),
  };
  try {
    const engine = await openSqliteEngine({ path: join(machines["this machine"].dataDir, "chest.db") });
    await engine.close();
    const floors: Took[] = [];
    const figures: Figure[] = [];
    for (const [place, machine] of Object.entries(machines)) {
      const isAlive = place === "backend" || place === "this machine";
      if (isAlive) await learn(machine);
      for (const event of Object.keys(EVENTS)) {
        const took: Took[] = [];
        const beside: Took[] = [];
        // The first run compiles the code for the others.
        await played(machine, event, 0);
        const turns = place === "the backend hangs" ? 2 : isAlive ? rounds * A_TURN : rounds;
        for (let turn = 1; turn <= turns; turn++) {
          beside.push(await timed(() => runProgram(["-e", "0"], cleanEnv({}))));
          took.push(await played(machine, event, turn));
        }
        figures.push(figureOf(`${event}, ${place}`, took, beside, isAlive));
        floors.push(...beside);
      }
    }
    const least = { value: median(floors.map(({ ms }) => ms)), ...spreadOf(floors) };
    return [...figures, { name: "  floor: node -e 0", unit: "ms", ...least }];
  } finally {
    for (const machine of Object.values(machines)) machine.remove();
    hanging.close();
    await server.stop();
  }
};

interface Took {
  readonly ms: number;
  readonly cpuMs: number;
}

const spreadOf = (took: readonly Took[]) => ({
  p50Ms: percentile(
    took.map(({ ms }) => ms),
    50,
  ),
  p95Ms: percentile(
    took.map(({ ms }) => ms),
    95,
  ),
  cpuMs: took.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / took.length,
});

function figureOf(name: string, took: readonly Took[], floors: readonly Took[], isAlive: boolean): Figure {
  const spread = spreadOf(took);
  const { p50Ms: value, p95Ms } = spread;
  const goal = isAlive ? atMost(HEALTHY_MS, p95Ms, "150 ms at p95") : atMost(DEAD_MS, p95Ms, "2 s at p95");
  const floor = spreadOf(floors).p50Ms;
  const ratio = median(took.map(({ ms }, turn) => ms / (floors[turn]?.ms ?? Number.NaN)));
  return { name, value, unit: "ms", floor, ratio, ...spread, goal };
}

/** Measures wall-clock and processor time of a process until it ends. */
async function timed(work: () => Promise<unknown>): Promise<Took> {
  const startedAt = performance.now();
  const before = childrensCpuMs();
  await work();
  return { ms: performance.now() - startedAt, cpuMs: childrensCpuMs() - before };
}

/** Stores the memories that hooks can show. */
async function learn(machine: AgentMachine): Promise<void> {
  const { user, says, edits, runs, result } = transcriptOf("learned");
  const lines = [
    user("Never let the heron gateway run without its idle limit in src/heron-gateway.ts."),
    runs("npm test", "t1"),
    result("t1", "TypeError: heron.parseRows is not a function"),
    says("parseRows of the heron moved to the reader in version four."),
    edits("/home/dev/acme/src/heron.ts"),
    runs("npm test", "t2"),
    result("t2"),
  ];
  const transcript_path = machine.transcript("learned");
  writeFileSync(transcript_path, `${lines.join("\n")}\n`);
  await machine.hook("stop", { session_id: "learned", transcript_path });
}

/** Input of each event that causes the most work. */
const EVENTS: Readonly<Record<string, (machine: AgentMachine) => object>> = {
  "session-start": () => ({ source: "startup" }),
  "user-prompt": () => ({ prompt: "may the heron gateway run without its idle limit?" }),
  "pre-tool": ({ cwd }) => ({ tool_name: "Edit", tool_input: { file_path: join(cwd, "src/heron-gateway.ts") } }),
  "post-tool": () => ({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    error: "TypeError: heron.parseRows is not a function",
  }),
  "pre-compact": () => ({ trigger: "auto" }),
  stop: () => ({}),
  "session-end": () => ({ reason: "exit" }),
};

/** Plays an event in a new session. @param said input from the host; by default the most expensive case */
export async function played(
  machine: AgentMachine,
  event: string,
  turn: number,
  said = EVENTS[event]?.(machine),
): Promise<Took> {
  const session_id = `${event}-${turn}`;
  const transcript_path = machine.transcript(session_id);
  const { user, edits } = transcriptOf(session_id);
  appendFileSync(transcript_path, `${user(`Let the ${event} importer read format ${turn}.`)}\n${edits("/a/b.ts")}\n`);
  rmSync(join(machine.dataDir, "outbox"), { recursive: true, force: true });
  // After a timeout the hook pauses its calls of the backend; deleting the pause makes it call every time.
  rmSync(join(machine.dataDir, "hooks", "paused"), { force: true });
  return timed(async () => {
    const input = { session_id, transcript_path, ...said };
    const { exitCode, stderr } = await machine.hook(event, input);
    if (exitCode !== 0 || stderr !== "") throw new Error(`${event} ended with ${exitCode}: ${stderr}`);
  });
}
