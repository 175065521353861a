// Runs what the image runs, once, so that Node keeps the compiled programs in NODE_COMPILE_CACHE.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const URL_BASE = "http://127.0.0.1:8765";
const TOKEN = "-".repeat(32);
const env = { ...process.env, CHEST_DATA_DIR: "/tmp/warm-up", CHEST_API_TOKEN: TOKEN, CHEST_BIND_HOST: "127.0.0.1" };

const server = spawn(process.execPath, ["apps/server/dist/chest-server.js"], {
  env,
  stdio: ["ignore", "ignore", "inherit"],
});
const ended = once(server, "exit");
// A busy machine takes more than a search thread's own patience to start one for the first time.
const deadline = Date.now() + 120_000;
while (!(await answers("/healthz"))) await sleep(50);
while (!(await answers("/readyz"))) await sleep(50);

await ask("/openapi.json");
await ask("/docs");
await ask("/capabilities");
await call("chest_remember", {
  entity_name: "image",
  entity_kind: "project",
  layer: "context",
  content: "A first start",
});
await call("chest_recall", { query: "first start" });
await ask("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" });
run("--help");
run("status");

server.kill("SIGTERM");
const [code] = await ended;
if (code !== 0) throw new Error(`the server ended with ${code}`);
rmSync("/tmp/warm-up", { recursive: true });

async function answers(path) {
  if (server.exitCode !== null) throw new Error("the server did not start");
  const said = await fetch(`${URL_BASE}${path}`).then(
    async (answer) => (answer.ok ? undefined : answer.text()),
    (error) => String(error.cause ?? error),
  );
  if (said !== undefined && Date.now() > deadline) throw new Error(`${path} is not well: ${said}`);
  return said === undefined;
}

async function ask(path, body) {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const answer = await fetch(
    URL_BASE + path,
    body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers },
  );
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.text();
}

async function call(tool, args) {
  await ask(`/api/tools/${tool}`, args);
}

function run(...words) {
  const { status, error } = spawnSync("chest-index", words, { env, stdio: ["ignore", "ignore", "inherit"] });
  // 1 is a warning, about what a new store does not have yet.
  if (error || (status !== 0 && status !== 1)) throw new Error(`chest-index ${words.join(" ")}: ${error ?? status}`);
}
