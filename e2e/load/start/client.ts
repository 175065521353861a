import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CHEST_MEMORY } from "../../support/clients/stdio-client.ts";
import { cleanEnv, NODE_24 } from "../../support/process.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { cpuMsOf, residentMbOf } from "../process-use.ts";
import type { Target } from "../requests.ts";
import { median, percentile } from "../rounds.ts";

const STARTS = 15;
const MACHINES_NODE = "/usr/bin/node";

/** Measures the built stdio client, started like by a host: time until it answers, and its memory then. */
export const client: Bench = async ({ workDir, startServer }) => {
  if (!existsSync(CHEST_MEMORY)) throw new Error("apps/mcp/dist is not there: `npm run build` makes it");
  const server = await startServer();
  try {
    const figures = await figuresOf(NODE_24, server, workDir);
    const other = versionOf(MACHINES_NODE);
    return other === undefined ? figures : [...figures, ...(await figuresOf(MACHINES_NODE, server, workDir))];
  } finally {
    await server.stop();
  }
};

async function figuresOf(node: string, server: Target, workDir: string): Promise<Figure[]> {
  const bare: number[] = [];
  const starts: Start[] = [];
  for (let nth = 0; nth < STARTS; nth++) {
    bare.push(await bareStart(node));
    starts.push(await startClient(node, CHEST_MEMORY, clientEnv(server, workDir)));
  }
  const took = starts.map(({ answeredMs }) => answeredMs);
  const largest = median(starts.map(({ listedMb }) => listedMb));
  const name = `stdio client, Node ${versionOf(node)}`;
  return [
    {
      name: `${name}: initialize`,
      value: median(took),
      unit: "ms",
      floor: median(bare),
      ratio: median(took.map((ms, nth) => ms / (bare[nth] ?? Number.NaN))),
      goal: atMost(120, median(took), "120 ms"),
      cpuMs: median(starts.map(({ cpuMs }) => cpuMs)),
      p50Ms: percentile(took, 50),
      p95Ms: percentile(took, 95),
    },
    { name: "  memory after initialize", value: median(starts.map(({ initializedMb }) => initializedMb)), unit: "MB" },
    { name: "  memory after tools/list", value: largest, unit: "MB", goal: atMost(80, largest, "80 MB") },
  ];
}

/** Measures Node itself without any program. */
async function bareStart(node: string): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(node, ["-e", "0"], { stdio: "ignore", env: plainEnv({}) }), "exit");
  return performance.now() - startedAt;
}

/** The compile cache of the run: the first start fills it, later starts use it. */
export const clientEnv = ({ url, token }: Target, workDir: string): NodeJS.ProcessEnv =>
  plainEnv({
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: url,
    CHEST_API_TOKEN: token,
    CHEST_DATA_DIR: join(workDir, "client"),
  });

/** Environment of this machine without extra certificate authorities: loading them at each start takes Node 20 30 ms. */
function plainEnv(settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = cleanEnv(settings);
  return env;
}

interface Start {
  /** Processor time of the client up to its answer. */
  readonly cpuMs: number;
  readonly answeredMs: number;
  readonly initializedMb: number;
  readonly listedMb: number;
}

/** Starts an MCP server on stdio, sends `initialize` and `tools/list`, and ends it. */
export async function startClient(node: string, program: string, env: NodeJS.ProcessEnv): Promise<Start> {
  const startedAt = performance.now();
  const child = spawn(node, [program], { env, stdio: ["pipe", "pipe", "ignore"] });
  const conversation = conversationWith(child);
  await conversation.ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "chest-bench", version: "1.0.0" },
  });
  const answeredMs = performance.now() - startedAt;
  const cpuMs = cpuMsOf(child.pid ?? 0);
  const initializedMb = residentMbOf(child.pid ?? 0);
  conversation.tell("notifications/initialized");
  await conversation.ask("tools/list", {});
  const listedMb = residentMbOf(child.pid ?? 0);
  child.stdin?.end();
  await once(child, "exit");
  return { cpuMs, answeredMs, initializedMb, listedMb };
}

/** Speaks JSON-RPC directly, because an MCP library would be measured with the client. */
function conversationWith({ stdin, stdout }: ChildProcess) {
  if (!stdin || !stdout) throw new Error("a conversation goes over stdin and stdout");
  const lines = createInterface({ input: stdout });
  const write = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let lastId = 0;
  return {
    tell: (method: string) => write({ method }),
    async ask(method: string, params: object): Promise<void> {
      lastId += 1;
      const answered = new Promise<void>((resolve, reject) => {
        const read = (line: string) => {
          const { id, error } = JSON.parse(line) as { id?: number; error?: { message: string } };
          if (id !== lastId) return;
          lines.off("line", read);
          if (error) reject(new Error(`${method}: ${error.message}`));
          else resolve();
        };
        lines.on("line", read);
        lines.once("close", () => reject(new Error(`the client ended before it answered ${method}`)));
      });
      write({ id: lastId, method, params });
      await answered;
    },
  };
}

function versionOf(node: string): string | undefined {
  const { status, stdout } = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
