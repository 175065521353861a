import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { connectStdioClient, type StdioClient } from "../../support/clients/stdio-client.ts";
import { cleanEnv } from "../../support/process.ts";
import { seeded } from "../../support/random.ts";
import { recallEverywhereRequest } from "../memory-requests.ts";
import { cpuMsOf } from "../process-use.ts";
import type { Request } from "../requests.ts";
import type { Sample } from "../rounds.ts";
import { startClient } from "../start/client.ts";
import { type Contestant, contest } from "./contest.ts";
import type { Pair } from "./measure.ts";
import { saves, someOf } from "./memories.ts";
import { phraseOf } from "./prose.ts";
import { A_TURN, asking, WARM_UP } from "./recalls.ts";
import { type Comparison, ofRequests } from "./report.ts";
import { answering, clients, ofClients } from "./starts.ts";
import { ALONE, storing } from "./writes.ts";

const PACKAGE = "@modelcontextprotocol/server-memory";

export interface Rival {
  readonly name: string;
  readonly program: string;
}

/** Installs MCP's reference memory server; without npm access it prints a notice and returns undefined. */
export async function fetchRival(workDir: string): Promise<Rival | undefined> {
  const folder = join(workDir, "rival");
  await mkdir(folder, { recursive: true });
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr, error } = spawnSync("npm", ["install", ...options, PACKAGE], {
    cwd: folder,
    env: cleanEnv({}),
    encoding: "utf8",
  });
  if (status !== 0) {
    const [why = "npm gave no reason"] = (error?.message ?? stderr).trim().split("\n");
    console.error(`chest: no rival beside it, \`${PACKAGE}\` cannot be had: ${why}`);
    return undefined;
  }
  const installed = join(folder, "node_modules", PACKAGE);
  const { version, bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  return { name: `server-memory ${version}`, program: join(installed, Object.values(bin)[0] as string) };
}

/**
 * Measures the rival over stdio in turns with this checkout's backend over REST, with the same texts and questions, one
 * at a time. The rival finds exact substrings only, so questions are consecutive words.
 */
export async function besideRival(rival: Rival, { ours, rounds, sizes, workDir }: Pair): Promise<Comparison[]> {
  const comparisons = ofRequests(
    `write, 600 entities, connections: ${ALONE.connections}`,
    await contest(rounds, {
      theirs: () => rivalStoring(rival, workDir),
      ours: () => storing(ours, workDir, ALONE),
    }),
  );
  for (const size of sizes) {
    const saved = Array.from({ length: size }, saves());
    const random = seeded(6);
    const queries = someOf(saved, WARM_UP + rounds * A_TURN).map(({ text }) => phraseOf(text, random));
    const turns = await contest(rounds, {
      theirs: () => rivalAsking(rival, workDir, saved, queries),
      ours: async () => {
        const questions = queries.map((query) => ({ all: recallEverywhereRequest(query) }));
        const { turn, end } = await asking(ours, workDir, saved, ["all"], questions);
        return { turn: async (round: number) => (await turn(round)).all, end };
      },
    });
    comparisons.push(...ofRequests(`recall, ${size.toLocaleString("en")} memories`, turns));
  }
  const starts = await contest(rounds, {
    theirs: () => rivalAnswering(rival, workDir),
    ours: () => answering(ours, workDir),
  });
  return [...comparisons, ...ofClients(starts)];
}

async function rivalStoring(rival: Rival, workDir: string): Promise<Contestant<Sample>> {
  const { client, end } = await openRival(rival, workDir);
  const save = saves();
  const named = new Set<string>();
  const store = async () => {
    const { name, text } = savedIn(save());
    if (named.has(name))
      await call(client, "add_observations", { observations: [{ entityName: name, contents: [text] }] });
    else await call(client, "create_entities", { entities: [entity(name, [text])] });
    named.add(name);
  };
  await timed(client, WARM_UP, store);
  return { turn: () => timed(client, ALONE.requests, store), end };
}

async function rivalAsking(
  rival: Rival,
  workDir: string,
  saved: readonly Request[],
  queries: readonly string[],
): Promise<Contestant<Sample>> {
  const { client, end } = await openRival(rival, workDir);
  const entities = Map.groupBy(saved.map(savedIn), ({ name }) => name);
  await call(client, "create_entities", {
    entities: [...entities].map(([name, all]) =>
      entity(
        name,
        all.map(({ text }) => text),
      ),
    ),
  });
  const next = queries.values();
  const ask = () => call(client, "search_nodes", { query: next.next().value });
  await timed(client, WARM_UP, ask);
  return { turn: () => timed(client, A_TURN, ask), end };
}

async function rivalAnswering(rival: Rival, workDir: string) {
  const env = cleanEnv({ MEMORY_FILE_PATH: fileIn(workDir) });
  await startClient(process.execPath, rival.program, env);
  return { turn: () => clients(process.execPath, rival.program, env), end: async () => {} };
}

/** Starts the rival over a file of its own. */
export async function openRival({ program }: Rival, workDir: string) {
  const client = await connectStdioClient({
    program: { command: process.execPath, args: [program] },
    env: { MEMORY_FILE_PATH: fileIn(workDir) },
  });
  return { client, end: () => client.stop() };
}

let files = 0;
const fileIn = (workDir: string): string => join(workDir, `rival-${++files}.jsonl`);

const entity = (name: string, observations: string[]) => ({ name, entityType: "project", observations });

function savedIn({ body }: Request): { readonly name: string; readonly text: string } {
  const { entity_name: name, content: text } = body as { entity_name: string; content: string };
  return { name, text };
}

async function call({ client }: StdioClient, name: string, input: Record<string, unknown>): Promise<void> {
  const { isError, content } = await client.callTool({ name, arguments: input });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content).slice(0, 300)}`);
}

async function timed({ pid }: StdioClient, requests: number, once: () => Promise<void>): Promise<Sample> {
  const tookMs: number[] = [];
  const [startedAt, cpuBefore] = [performance.now(), cpuMsOf(pid)];
  for (let nth = 0; nth < requests; nth++) {
    const before = performance.now();
    await once();
    tookMs.push(performance.now() - before);
  }
  return { requests, wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(pid) - cpuBefore, tookMs };
}
