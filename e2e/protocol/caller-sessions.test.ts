import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { type Address, connectHttpClient, type Door, mcpDoor, restDoor } from "../support/clients/doors.ts";

const TOKEN = "cht_the-token-of-the-sessions-tests-00";
const QUESTION = "the migration is stuck";
const ANSWER = "a lock was held by vacuum";
const fact = (content: string) => ({ entity_name: "acme", entity_kind: "project", layer: "learning", content });

let dataDir: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "chest-sessions-"));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(): Promise<Backend> {
  const backend = await startBackend({ dataDir, token: TOKEN });
  closing.push(backend.stop);
  return backend;
}

/** Connects the official client with its usual settings: a token and nothing else. */
async function agent(at: Address): Promise<Door> {
  const client = await connectHttpClient(at);
  closing.push(() => client.close());
  return mcpDoor(client);
}

async function told(door: Door, content: string, over: object = {}): Promise<unknown> {
  const { result, error } = await door.call("chest_remember", { ...fact(content), ...over });
  expect(error).toBeUndefined();
  return result?.memory_id;
}

async function found(door: Door, query: string, over: object = {}): Promise<readonly unknown[]> {
  const { result = {} } = await door.call("chest_recall", { query, ...over });
  return (result.memories as { id: number }[]).map(({ id }) => id);
}

it("an agent at /mcp continues its session after the backend was killed, and so do its calls over REST", async () => {
  const before = await start();
  const question = await told(await agent(before), QUESTION);
  await before.kill9();

  const after = await start();
  const answer = await told(await agent(after), ANSWER);
  const third = await told(restDoor(after), "the timeout was raised");
  const { result = {} } = await restDoor(after).call("chest_inspect", { view: "session" });
  expect((result.items as { id: number }[]).map(({ id }) => id)).toEqual([third, answer, question]);
});

it("a session whose id a client sends keeps its project over a restart, and no other does", async () => {
  const before = await start();
  const named = { "x-chest-session": "s-1" };
  const project = "github.com/acme/shop";
  const first = await told(restDoor(before, named), "the shop sells herons", { project });
  await told(restDoor(before), "the shop sells cranes", { project });
  await before.kill9();

  const after = await start();
  const second = await told(restDoor(after, named), "the shop sells egrets");
  const everybodys = await told(restDoor(after), "the shop sells storks");
  const inShop = await found(restDoor(after), "shop", { project });
  expect(inShop).toEqual(expect.arrayContaining([first, second]));
  expect(inShop).not.toContain(everybodys);
  expect(await found(restDoor(after, named), "herons egrets")).toEqual(expect.arrayContaining([first, second]));
});
