import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { runCli } from "../support/clients/cli.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

let dir: string;
let folder: string;
let backend: Backend;
let agent: StdioClient;
const env = () => ({
  HOME: dir,
  PATH: process.env.PATH,
  CHEST_DATA_DIR: join(dir, "data"),
  CHEST_MODE: "remote",
  CHEST_REMOTE_URL: backend.url,
  CHEST_API_TOKEN: backend.token,
});

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "chest-sources-")));
  folder = join(dir, "proj");
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "src/auth.ts"), "export const minutes = 15;\n");
  backend = await startBackend();
  agent = await connectStdioClient({ cwd: folder, env: { ...env(), PATH: String(env().PATH) } });
});
afterEach(async () => {
  await agent.stop();
  await backend.stop();
  await rm(dir, { recursive: true, force: true });
});

const call = async (name: string, input: object) => {
  const answer = await agent.client.callTool({ name, arguments: { ...input } });
  // biome-ignore lint/suspicious/noExplicitAny: the test reads answers without their types, like an agent.
  return answer as any;
};

it("source tracking, verify, get_stale, refresh_all: a file that changes is noticed, and accepted", async () => {
  const saved = await call("chest_remember", {
    content: "tokens live fifteen minutes",
    category: "decision",
    source: "src/auth.ts:1",
  });
  const id = saved.structuredContent.memory_id;
  expect((await call("chest_verify", { ids: [id] })).structuredContent.counts).toMatchObject({ ok: 1 });

  await writeFile(join(folder, "src/auth.ts"), "export const minutes = 10;\n");
  const recalled = await call("chest_recall", { query: "how long do tokens live" });
  expect(recalled.structuredContent.memories[0]).toMatchObject({ id, stale: ["src/auth.ts"] });
  expect(recalled.content[0].text).toContain("stale: src/auth.ts changed since");
  expect((await call("chest_verify", { all: true })).content[0].text).toContain(`stale: [memory:${id}] src/auth.ts:1`);
  expect((await call("chest_inspect", { view: "stale" })).structuredContent).toMatchObject({
    total: 1,
    items: [{ id }],
  });

  const typed = await runCli(["verify", "--accept", "--json"], env(), folder);
  expect(JSON.parse(typed.stdout)).toMatchObject({ accepted: 1, counts: { ok: 1 } });
  expect((await call("chest_inspect", { view: "stale" })).structuredContent).toMatchObject({ total: 0 });
});

it("export, import: what another system wrote comes into a backend, once", async () => {
  const file = join(dir, "facts.json");
  await writeFile(
    file,
    JSON.stringify([
      { id: "f-1", content: "deploys go through blue", category: "decision", importance: "high", topics: ["deploy"] },
      { id: "f-2", content: "put away", archived: true },
    ]),
  );
  const take = async () => {
    const ended = await runCli(["import", "--from", "context-memory", file, "--json"], env(), folder);
    return JSON.parse(ended.stdout);
  };
  expect(await take()).toMatchObject({ memories: { inserted: 1, unchanged: 0 }, exit_code: 0 });
  expect(await take()).toMatchObject({ memories: { inserted: 0, unchanged: 1 }, exit_code: 0 });
  const { structuredContent } = await call("chest_recall", { query: "deploys blue" });
  expect(structuredContent.memories[0]).toMatchObject({ category: "decision", tags: ["deploy"] });
});
