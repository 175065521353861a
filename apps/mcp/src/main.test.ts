import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FakeBackend, hang, startFakeBackend } from "@chest/client/testing";
import { Client as SessionlessClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as SessionlessTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CallToolResult, CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("../dist/chest-memory.js", import.meta.url));
const TOKEN = "t".repeat(32);
const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content: "the deploy goes through blue",
};

let dir: string;
let fake: FakeBackend;
const ending: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-mcp-"));
  fake = await startFakeBackend();
});

afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await fake.stop();
  await rm(dir, { recursive: true });
});

const envOf = (over: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
  HOME: dir,
  CHEST_MODE: "remote",
  CHEST_REMOTE_URL: fake.url,
  CHEST_API_TOKEN: TOKEN,
  CHEST_DATA_DIR: join(dir, "data"),
  CHEST_PROJECT: "git.example/org/app",
  ...over,
});

it.skipIf(process.platform === "win32")(
  "ends when its parent does, though the pipe is held open",
  async () => {
    const starts = `const child = require("node:child_process").spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: [0, "ignore", "ignore"] });
    console.log(child.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", starts], { env: envOf(), stdio: ["pipe", "pipe", "ignore"] });
    const [pid] = (await once(parent.stdout, "data")).map(Number);
    const isThere = () => {
      try {
        return process.kill(Number(pid), 0);
      } catch {
        return false;
      }
    };
    expect(isThere()).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(isThere, { timeout: 30_000, interval: 250 }).toBe(false);
  },
  60_000,
);

async function connect(over: Record<string, string> = {}, says?: string) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN],
    env: envOf(over),
    stderr: "pipe",
  });
  const capabilities = says === undefined ? {} : { sampling: {} };
  const client = new Client({ name: "an-agent", version: "9" }, { capabilities });
  if (says !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: "m",
      role: "assistant",
      content: { type: "text", text: says },
    }));
  }
  await client.connect(transport);
  ending.push(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return { client, call, pid: transport.pid ?? 0 };
}

/** The program alone, with its raw streams. */
function start(over: Record<string, string> = {}, args: string[] = []): Started {
  const child = spawn(process.execPath, [MAIN, ...args], { env: envOf(over) });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk));
  const ended = once(child, "close").then(([code]) => ({ code, ...printed }));
  return Object.assign(child, { printed, ended });
}

interface Printed {
  stdout: string;
  stderr: string;
}

type Started = ChildProcessWithoutNullStreams & { printed: Printed; ended: Promise<Printed & { code: number }> };

const framesIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const frame = (message: object) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const INITIALIZE = frame({
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const READY = frame({ method: "notifications/initialized" });
const callFrame = (id: number, name: string, args: object) =>
  frame({ id, method: "tools/call", params: { name, arguments: args } });
const waiting = async () =>
  (await readdir(join(dir, "data/outbox")).catch(() => [])).filter((name) => name.endsWith(".json"));

describe("an agent's client", () => {
  it("stores on the backend, saying where it works and for whom", async () => {
    const { client, call } = await connect();
    await client.listTools();

    const answer = await call("chest_remember", A_FACT);

    expect(answer.structuredContent).toEqual({ ok: true, memory_id: 1 });
    expect(fake.calls[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "x-chest-project": encodeURIComponent("git.example/org/app"),
      "x-chest-client": expect.stringMatching(/^chest-memory\/\S+; wire=1\.6\.0; machine=[\w-]{36}; agent=an-agent$/),
      "x-chest-session": expect.stringMatching(/^[\w-]{36}$/),
      "idempotency-key": expect.any(String),
    });
  });

  it("starts, lists and refuses with the backend away, and keeps a write until it is back", async () => {
    const { port } = fake;
    await fake.stop();
    const { client, call } = await connect();

    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("chest_recall");
    const recalled = await call("chest_recall", { query: "x" });
    const stored = await call("chest_remember", A_FACT);
    fake = await startFakeBackend({ port });
    await new Promise((resolve) => setTimeout(resolve, 5_500)); // Until a dead backend is asked again.
    await call("chest_update_memory", { memory_id: 1, importance: 0.6 });

    expect(recalled).toMatchObject({ isError: true });
    expect(JSON.stringify(recalled.content)).toContain("BACKEND_UNREACHABLE");
    expect(stored.structuredContent).toMatchObject({ ok: true, queued: true });
    expect(fake.calls.map(({ path }) => path)).toEqual(["/api/tools/chest_remember", "/api/tools/chest_update_memory"]);
    expect(await waiting()).toEqual([]);
  }, 15_000);

  it("serves a client without a handshake at the same door, and asks its human by the next call", async () => {
    await fake.stop();
    fake = await startFakeBackend({
      answer: (tool, { dry_run }) => {
        if (tool !== "chest_forget") return { ok: true, memories: [], count: 0 };
        return dry_run ? { ok: true, would_archive: 7, memory_id: 7 } : { ok: true, archived: 1, memory_id: 7 };
      },
    });
    const client = new SessionlessClient(
      { name: "a-newer-agent", version: "9" },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
    );
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return { action: "accept", content: { confirm: true } };
    });
    await client.connect(
      new SessionlessTransport({ command: process.execPath, args: [MAIN], env: envOf(), stderr: "pipe" }),
    );
    ending.push(() => client.close());

    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("chest_recall");
    await client.callTool({ name: "chest_forget", arguments: { memory_id: 7, interactive: true } });

    expect(questions).toEqual([expect.stringContaining("Archive memory 7?")]);
    expect(fake.calls.at(-1)?.headers["x-chest-client"]).toContain("agent=a-newer-agent");
  });

  it("has the agent's model word a summary that a backend made, where the agent offers it", async () => {
    const plain = { source: "consolidation", pattern: "plain", exemplars: ["one", "two"], replaced_ids: [1, 2] };
    const memories = (ids: readonly number[]) =>
      ids.map((id) => ({ id, content: id === 3 ? JSON.stringify(plain) : `original ${id}` }));
    await fake.stop();
    fake = await startFakeBackend({
      answer: (tool, { ids }) => {
        if (tool === "chest_recall") return { ok: true, memories: memories(ids as number[]) };
        if (tool === "chest_update_memory") return { ok: true, memory_id: 3 };
        return { ok: true, learningIdsCreated: [3], sampling: { applied: false, reason: "no model here" } };
      },
    });
    const offering = await connect({}, "both say the same");
    const mute = await connect();

    const worded = await offering.call("chest_consolidate", { use_llm: true });
    const plainly = await mute.call("chest_consolidate", { use_llm: true });

    expect(worded.structuredContent).toMatchObject({ sampling: { applied: true, upgraded: 1 } });
    const updates = fake.calls.filter(({ path }) => path.endsWith("chest_update_memory"));
    expect(updates.map(({ body }) => JSON.parse(body).content)).toEqual([
      JSON.stringify({ ...plain, pattern: "both say the same" }, undefined, 1),
    ]);
    expect(new Set(fake.calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(4);
    expect(plainly.structuredContent).toMatchObject({
      sampling: { applied: false, reason: "this client offers no sampling" },
    });
  });

  it.skipIf(process.platform !== "linux")(
    "answers where its data folder cannot be made, in either mode",
    async () => {
      const unmade = { CHEST_DATA_DIR: "/proc/chest/data" };
      const { call } = await connect(unmade);
      expect((await call("chest_remember", A_FACT)).structuredContent).toEqual({ ok: true, memory_id: 1 });
      await fake.stop();
      expect(JSON.stringify(await call("chest_remember", A_FACT))).toContain("BACKEND_UNREACHABLE");
      const { call: callLocal } = await connect({ ...unmade, CHEST_MODE: "local" });
      expect(JSON.stringify(await callLocal("chest_remember", A_FACT))).toContain("cannot be used (ENOENT)");
    },
    30_000,
  );

  it("delivers once what it had queued when it was killed", async () => {
    const { port } = fake;
    await fake.stop();
    const queued: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const { call, pid, client } = await connect();
      for (let index = 0; index < 3; index++) queued.push((await call("chest_remember", A_FACT)).structuredContent);
      process.kill(pid, "SIGKILL");
      await client.close();
    }
    fake = await startFakeBackend({ port });
    const clients = await Promise.all([connect(), connect()]);

    await expect.poll(waiting, { timeout: 8_000 }).toEqual([]);
    await Promise.all(clients.map(({ client }) => client.close()));

    expect(queued).toHaveLength(9);
    expect(fake.stored.size).toBe(9);
  }, 30_000);

  it("is a protocol error for a tool that is not there", async () => {
    const { call } = await connect();

    await expect(call("chest_sing", {})).rejects.toMatchObject({ code: -32602 });
  });
});

describe("its stdout", () => {
  it("holds frames only, whatever a library prints", async () => {
    const noise = "setTimeout(() => { console.log('noise'); process.stdout.write('more noise\\n'); }, 500)";
    const child = start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(noise)}` });
    child.stdin.write(INITIALIZE);
    await expect.poll(() => child.printed.stderr, { timeout: 10_000 }).toContain("more noise");
    child.stdin.end(READY + frame({ id: 2, method: "tools/list" }));

    const { code, stdout } = await child.ended;

    expect(framesIn(stdout).map(({ id }) => id)).toEqual([1, 2]);
    expect(code).toBe(0);
  }, 15_000);

  it("stays clean on input that is no message", async () => {
    const child = start();
    child.stdin.end(`not json\n{"jsonrpc":"2.0"}\n${INITIALIZE}`);

    const { stdout, code } = await child.ended;

    expect(framesIn(stdout)).toMatchObject([{ id: 1, result: { serverInfo: { name: "chest-memory" } } }]);
    expect(code).toBe(0);
  });
});

describe("its stderr", () => {
  it("has nothing to say of what goes well, unless it is asked to", async () => {
    const served = async (over: Record<string, string>) => {
      const child = start(over);
      child.stdin.write(INITIALIZE + READY);
      await once(child.stdout, "data");
      child.stdin.end(callFrame(2, "chest_remember", A_FACT));
      return (await child.ended).stderr;
    };

    expect(await served({})).toBe("");
    expect(await served({ CHEST_LOG_LEVEL: "info" })).toMatch(/serving on stdio.*tool call.*stopped/s);
  });

  it.each([
    ["that nobody reads", "pipe" as const],
    ["that has no room", "/dev/full"],
  ])("%s ends nothing", async (_, to) => {
    if (to !== "pipe" && !existsSync(to)) return;
    const log = to === "pipe" ? to : openSync(to, "w");
    const env = envOf({ CHEST_LOG_LEVEL: "debug" });
    const child = spawn(process.execPath, [MAIN], { env, stdio: ["pipe", "pipe", log] });
    if (typeof log === "number") closeSync(log);
    child.stderr?.destroy();
    let stdout = "";
    child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk));
    child.stdin?.write(INITIALIZE + READY);
    await once(child.stdout ?? child, "data");
    child.stdin?.end(callFrame(2, "chest_remember", A_FACT));

    expect(await once(child, "close")).toEqual([0, null]);
    expect(framesIn(stdout).map(({ id }) => id)).toEqual([1, 2]);
    expect(fake.calls.map(({ path }) => path)).toEqual(["/api/tools/chest_remember"]);
  });
});

describe("its start", () => {
  it("loads no HTTP client, which would take it longer than all the rest", async () => {
    const list = "process.on('exit', () => process.stderr.write(process.moduleLoadList.join('\\n')))";
    const child = start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(list)}` });
    child.stdin.end(INITIALIZE);

    const { stderr, stdout } = await child.ended;

    expect(framesIn(stdout)).toHaveLength(1);
    expect(stderr).toContain("NativeModule internal/modules/esm/loader");
    expect(stderr).not.toMatch(/internal\/deps\/undici|NativeModule _http_client/);
  });
});

describe("its end", () => {
  it("answers what was asked before stdin closed", async () => {
    const child = start();
    child.stdin.end(INITIALIZE + READY + callFrame(2, "chest_remember", A_FACT));

    const { code, stdout } = await child.ended;

    expect(stdout).toContain('"memory_id":1');
    expect(code).toBe(0);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "on %s keeps a write that the backend has not answered, and waits for no limit of the call",
    async (signal) => {
      fake.meet(hang, hang, hang);
      const child = start();
      child.stdin.write(INITIALIZE + READY + callFrame(2, "chest_remember", A_FACT));
      await expect.poll(() => fake.calls.length, { timeout: 5_000 }).toBe(1);
      child.kill(signal);

      const { code, stdout } = await child.ended;

      expect(code).toBe(0);
      expect(stdout).toContain('"queued":true');
      expect(await waiting()).toHaveLength(1);
    },
    15_000,
  );
});

describe("its command line", () => {
  it("says a configuration error in one line that names the variables, and exits 1", async () => {
    const { code, stdout, stderr } = await start({ CHEST_REMOTE_URL: "", CHEST_API_TOKEN: "" }).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      "chest-memory: CHEST_REMOTE_URL: is not set, and CHEST_MODE=remote needs it; CHEST_API_TOKEN: is not set, and CHEST_MODE=remote needs it\n",
    );
  });

  it("has a version and a help", async () => {
    expect((await start({}, ["--version"]).ended).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await start({}, ["--help"]).ended).stdout).toContain("CHEST_REMOTE_URL");
    expect(await start({}, ["--port"]).ended).toMatchObject({ code: 2, stdout: "" });
  });
});

it("embeds with the model that comes with Chest, and has nothing to say of a model, where nobody named one", async () => {
  const client = start({ CHEST_MODE: "local", CHEST_REMOTE_URL: "", CHEST_API_TOKEN: "", CHEST_LOG_LEVEL: "info" });
  const send = (message: object) => client.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "an-agent", version: "9" } };
  send({ id: 1, method: "initialize", params });
  send({ method: "notifications/initialized" });
  for (const id of [2, 3]) {
    const fact = { ...A_FACT, content: `${A_FACT.content} ${id}` };
    send({ id, method: "tools/call", params: { name: "chest_remember", arguments: fact } });
  }
  await expect.poll(() => client.printed.stdout.split(`"status":`).length, { timeout: 20_000 }).toBe(3);
  client.stdin.end();
  const { code, stderr } = await client.ended;

  expect(code).toBe(0);
  const lines = stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { level: number; reason?: string });
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
  expect(lines.filter(({ reason }) => reason !== undefined && reason !== "stdin closed")).toEqual([]);
});
