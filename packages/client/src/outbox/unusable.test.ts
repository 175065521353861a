import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import type { Executor } from "@chest/core/executor";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openOutboxFolder } from "./folder.ts";
import { Outbox } from "./outbox.ts";

const A_FACT = { entity_name: "acme", entity_kind: "project", layer: "learning" };

let dir: string;
let isAway: boolean;
let stored: unknown[];
let warned: string[];
let outbox: Outbox;

const backend: Executor = {
  async execute(_name, input) {
    if (isAway) throw new ChestError("BACKEND_UNREACHABLE", "no answer from http://far.example: nothing listens there");
    stored.push((input as { content: string }).content);
    return { ok: true, memory_id: stored.length };
  },
};

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "chest-outbox-")), "outbox");
  [isAway, stored, warned] = [true, [], []];
  outbox = new Outbox({
    folder: openOutboxFolder(dir),
    url: "http://far.example",
    backend,
    tools: TOOLS,
    limits: DEFAULT_LIMITS,
    log: { info: () => {}, warn: (_, message) => void warned.push(message) },
    sender: async () => ({ member: "alice", token: "t" }),
    honoursKeys: async () => (isAway ? undefined : true),
  });
});

afterEach(async () => {
  await outbox.close();
  await rm(join(dir, ".."), { recursive: true });
});

const remember = (content: string) => outbox.execute("chest_remember", { ...A_FACT, content }, aCall());
const waiting = async () => (await readdir(dir)).filter((name) => name.endsWith(".json")).sort();

it("goes on with the rest where one entry cannot be read, keeps that one, and says so once", async () => {
  for (const content of ["one", "two", "three"]) await remember(content);
  const [first = ""] = await waiting();
  // Even root cannot read this.
  await rename(join(dir, first), join(dir, "aside"));
  await mkdir(join(dir, first));
  isAway = false;

  expect(await outbox.drain()).toBe("done");
  await outbox.drain();

  expect(stored).toEqual(["two", "three"]);
  expect(await waiting()).toEqual([first]);
  expect(warned.filter((message) => message.includes("skipped"))).toHaveLength(1);
});

it("names the file of an entry that cannot be read, and why", async () => {
  const id = String((await remember("one")).queue_id);
  await rm(join(dir, `${id}.json`));
  await mkdir(join(dir, `${id}.json`));

  await expect(openOutboxFolder(dir).read(id)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining(`${id}.json\` cannot be read: a folder is where a file should be (EISDIR)`),
    hint: expect.stringContaining(`${id}.json`),
  });
});

it("says that the backend did not answer and why the call cannot wait, where its folder is a file", async () => {
  await writeFile(dir, "no folder");

  await expect(remember("one")).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `no answer from http://far.example: nothing listens there; and this cannot wait in the outbox, \`${dir}\`: a file is where a folder should be (EEXIST)`,
    hint: expect.stringContaining(`nothing was stored: move away the file at \`${dir}\``),
    details: { folder: dir, reason: "EEXIST" },
  });
});

it("leaves no half of an entry that could not be written", async () => {
  await remember("one");
  const taken = openOutboxFolder(dir);
  const [id = ""] = await taken.waiting();
  const entry = await taken.read(id);
  await rm(join(dir, `${id}.json`));
  await mkdir(join(dir, `${id}.json`));

  await expect(entry && taken.update(entry)).rejects.toThrow("EISDIR");

  expect(await readdir(dir)).toEqual([`${id}.json`]);
});

it.each([
  ["too long", { content: "x".repeat(8001) }, "VALIDATION_ERROR"],
  ["blank", { content: "   " }, "VALIDATION_ERROR"],
  ["of no layer", { layer: "zz" }, "INVALID_INPUT"],
  ["nothing at all", {}, "INVALID_INPUT"],
  ["tagged with no tag", { add_tags: ["no tag"] }, "VALIDATION_ERROR"],
])("refuses at once an update that no backend would take: %s", async (_, changes, code) => {
  const update = outbox.execute("chest_update_memory", { memory_id: 4, ...changes }, aCall());

  await expect(update).rejects.toMatchObject({ code });
  expect(await readdir(dir).catch(() => [])).toEqual([]);
});

it("keeps an update that a backend may take", async () => {
  const update = { memory_id: 4, content: "other words", layer: "context", add_tags: ["a"] };

  expect(await outbox.execute("chest_update_memory", update, aCall())).toMatchObject({ queued: true });
});
