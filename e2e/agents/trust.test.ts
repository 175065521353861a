import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

let dir: string;
let folder: string;
let backend: Backend;
let agent: StdioClient;
beforeAll(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "chest-trust-")));
  folder = join(dir, "shop");
  await mkdir(join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "src/session.ts"), "export const minutes = 15;\n");
  backend = await startBackend();
  const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
  const env = { HOME: dir, PATH: String(process.env.PATH), CHEST_DATA_DIR: join(dir, "data"), ...remote };
  agent = await connectStdioClient({ cwd: folder, env });
});
afterAll(async () => {
  await agent?.stop();
  await backend?.stop();
  await rm(dir, { recursive: true, force: true });
});

interface Answer {
  readonly memory_id: number;
  readonly version: number;
  readonly total: number;
  readonly contradicts?: readonly { readonly id: number; readonly reason: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly memories: readonly {
    readonly id: number;
    readonly stale?: string[];
    readonly contradicted_by?: number[];
    readonly links?: readonly { readonly type: string }[];
  }[];
  readonly items: readonly { readonly id: number; readonly memory?: { readonly id: number } }[];
}

/** Calls a tool like an agent, and prints the answer. */
async function call(name: string, input: object): Promise<Answer> {
  const answer = await agent.client.callTool({ name, arguments: { ...input } });
  const [{ text = "" } = {}] = answer.content as { text?: string }[];
  process.stdout.write(`\n> ${name} ${JSON.stringify(input)}\n${text}\n`);
  expect(answer.isError, text).not.toBe(true);
  return answer.structuredContent as unknown as Answer;
}

const remember = async (content: string, over: object = {}) =>
  await call("chest_remember", { content, category: "decision", tags: ["login"], ...over });
const ids = ({ items }: Answer) => items.map(({ id, memory }) => memory?.id ?? id);
const recalled = async (query: string, id: number) =>
  (await call("chest_recall", { query })).memories.find((memory) => memory.id === id);

it("an agent contradicts itself, settles it, notices a changed file, lists, links and walks, and undoes each", async () => {
  const { memory_id: old } = await remember("Sessions live fifteen minutes.", { source: "src/session.ts:1" });
  const { memory_id: newer, contradicts } = await remember("Sessions live thirty minutes.");
  expect(contradicts).toMatchObject([{ id: old, reason: expect.any(String) }]);
  expect(await recalled("how long do sessions live", old)).toMatchObject({ contradicted_by: [newer] });
  expect(await call("chest_inspect", { view: "contradictions" })).toMatchObject({ total: 1 });

  await call("chest_update_memory", { memory_id: old, settle: "keep_this", against: newer });
  expect(await call("chest_inspect", { view: "contradictions" })).toMatchObject({ total: 0 });
  await call("chest_update_memory", { memory_id: old, settle: "reopen", against: newer });
  expect(await call("chest_inspect", { view: "contradictions" })).toMatchObject({ total: 1 });
  await call("chest_update_memory", { memory_id: old, settle: "keep_this", against: newer });

  await writeFile(join(folder, "src/session.ts"), "export const minutes = 20;\n");
  const settled = await recalled("how long do sessions live", old);
  expect(settled).toMatchObject({ stale: ["src/session.ts"] });
  expect([settled?.contradicted_by, settled?.links?.filter(({ type }) => type === "contradicts")]).toEqual([
    undefined,
    undefined,
  ]);
  expect((await call("chest_verify", { ids: [old] })).counts).toMatchObject({ stale: 1 });
  expect(ids(await call("chest_inspect", { view: "stale" }))).toEqual([old]);
  const revised = { content: "Sessions live twenty minutes.", source: "src/session.ts:1" };
  await call("chest_update_memory", { memory_id: old, ...revised });
  expect((await call("chest_verify", { ids: [old] })).counts).toMatchObject({ ok: 1 });
  const back = { content: "Sessions live fifteen minutes.", reason: "undone" };
  await call("chest_update_memory", { memory_id: old, ...back });
  expect((await call("chest_inspect", { view: "history", id: old })).total).toBeGreaterThan(2);

  const { memory_id: cause } = await remember("Banks ask for short sessions.", { tags: ["compliance"] });
  expect((await call("chest_recall", { tags: ["compliance"] })).memories.map(({ id }) => id)).toEqual([cause]);
  expect(ids(await call("chest_inspect", { view: "session" }))).toEqual(expect.arrayContaining([old, cause]));

  const add_links = [{ to: cause, type: "depends_on", note: "the audit of May" }];
  await call("chest_update_memory", { memory_id: old, add_links });
  expect(ids(await call("chest_inspect", { view: "related", id: old }))).toContain(cause);
  expect(ids(await call("chest_inspect", { view: "related", id: cause }))).toContain(old);
  await call("chest_recall", { ids: [old], with_related: true });
  await call("chest_update_memory", { memory_id: old, remove_links: [{ to: cause, type: "depends_on" }] });
  expect(ids(await call("chest_inspect", { view: "related", id: cause }))).toEqual([]);

  await call("chest_update_memory", { memory_id: old, archived: true });
  expect(ids(await call("chest_inspect", { view: "archived" }))).toContain(old);
  await call("chest_update_memory", { memory_id: old, archived: false });
  expect(await recalled("how long do sessions live", old)).toBeDefined();
});
