import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError, type ErrorCode } from "@chest/contracts";
import { localCaller } from "@chest/core/access";
import type { Call, Executor } from "@chest/core/executor";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openOutboxFolder } from "./folder.ts";
import { Outbox } from "./outbox.ts";

const URL = "http://backend.example";
const A_FACT = {
  entity_name: "acme",
  entity_kind: "project",
  layer: "learning",
  content: "the deploy goes through blue",
};

/** A backend that can be away, and keeps one answer a key. */
class Far implements Executor {
  failure: ErrorCode | undefined;
  mayHaveArrived = false;
  honoursKeys: boolean | undefined = true;
  readonly attempts: { name: string; input: unknown; call: Call }[] = [];
  readonly stored = new Map<string, unknown>();

  async execute(name: string, input: unknown, call: Call) {
    this.attempts.push({ name, input, call });
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (this.failure) {
      const details = { may_have_arrived: this.mayHaveArrived };
      throw new ChestError(this.failure, "as the backend says", { hint: "do so", details });
    }
    const key = call.idempotencyKey ?? call.requestId;
    if (!this.stored.has(key)) this.stored.set(key, input);
    return { ok: true, memory_id: [...this.stored.keys()].indexOf(key) + 1 };
  }
}

const ALICE = { member: "alice", token: "token-of-alice" };
let dir: string;
let far: Far;
let sender: { member: string | undefined; token: string };
const opened: Outbox[] = [];

beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), "chest-outbox-")), "outbox");
  far = new Far();
  sender = ALICE;
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbox) => outbox.close()));
  await rm(join(dir, ".."), { recursive: true });
});

function open(url = URL): Outbox {
  const outbox = new Outbox({
    folder: openOutboxFolder(dir),
    url,
    backend: far,
    tools: TOOLS,
    limits: DEFAULT_LIMITS,
    log: { info: () => {}, warn: () => {} },
    sender: async () => sender,
    honoursKeys: async () => (far.failure === "BACKEND_UNREACHABLE" ? undefined : far.honoursKeys),
  });
  opened.push(outbox);
  return outbox;
}

let counter = 0;
const remember = (outbox: Outbox, over: Record<string, unknown> = {}, call: Partial<Call> = {}) =>
  outbox.execute("chest_remember", { ...A_FACT, ...over }, aCall({ idempotencyKey: `k${counter++}`, ...call }));

const files = async () => (await readdir(dir)).filter((name) => name.endsWith(".json")).sort();
const aside = () => readdir(join(dir, "refused")).catch(() => []);
const entryOf = async (name = "") => JSON.parse(await readFile(join(dir, name), "utf8"));

describe("a write that cannot be delivered", () => {
  it.each(["BACKEND_UNREACHABLE", "UNAVAILABLE", "INTERNAL_ERROR"] as const)(
    "waits after %s, and the answer says so",
    async (code) => {
      far.failure = code;

      const answer = await remember(open());

      expect(answer).toEqual({
        ok: true,
        queued: true,
        queue_id: expect.stringMatching(/^\d{14}-\d{4}-[0-9a-f]{8}$/),
        note: expect.stringContaining("no recall finds it"),
      });
      expect(await files()).toEqual([`${answer.queue_id}.json`]);
    },
  );

  it.each(["BACKEND_PROTOCOL_ERROR", "RATE_LIMITED", "REJECTED", "STORAGE_FULL", "CLIENT_TOO_OLD"] as const)(
    "does not wait after %s",
    async (code) => {
      far.failure = code;

      await expect(remember(open())).rejects.toMatchObject({ code });
      expect(await readdir(dir).catch(() => [])).toEqual([]);
    },
  );

  it("waits without credentials, for this user only", async () => {
    far.failure = "BACKEND_UNREACHABLE";
    const project = "git.example/a/b";
    const caller = localCaller(project, { name: "c", version: "1", session: "s1" });

    await remember(
      open(),
      { content: "DB_PASSWORD=hunter2hunter2 is the blue one" },
      { caller, requestId: "r1", idempotencyKey: "key1" },
    );

    const [name] = await files();
    expect(await entryOf(name)).toMatchObject({
      url: URL,
      tool: "chest_remember",
      key: "key1",
      request_id: "r1",
      project,
      session: "s1",
    });
    expect(await readFile(join(dir, name ?? ""), "utf8")).not.toContain("hunter2");
    expect((await stat(join(dir, name ?? ""))).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  it("is judged by what needs no store", async () => {
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();

    await expect(remember(outbox, { importance: 7 })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(remember(outbox, { layer: "no such layer" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(remember(outbox, { content: "x".repeat(8001) })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await readdir(dir).catch(() => [])).toEqual([]);
  });

  it("does not wait when the tool only reads, or destroys", async () => {
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();

    await expect(outbox.execute("chest_recall", { query: "x" }, aCall())).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
    });
    await expect(outbox.execute("chest_forget", { memory_id: 1 }, aCall())).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
    });
  });

  it("is refused when a thousand wait", async () => {
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();
    await remember(outbox);
    const [first = ""] = await files();
    const one = await readFile(join(dir, first));
    await Promise.all(
      Array.from({ length: 999 }, (_, index) =>
        writeFile(join(dir, `${first.slice(0, 14)}-0001-${index.toString(16).padStart(8, "0")}.json`), one),
      ),
    );

    await expect(remember(outbox)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      hint: expect.stringContaining("outbox list"),
    });
  });

  it("is refused when 20 MB wait", async () => {
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();
    await remember(outbox);
    const [first = ""] = await files();
    await writeFile(join(dir, `${first.slice(0, 14)}-0001-00000000.json`), Buffer.alloc(20_000_000));

    await expect(remember(outbox)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("that may have arrived is not kept for a backend that honours no keys", async () => {
    far.failure = "INTERNAL_ERROR";
    far.mayHaveArrived = true;
    far.honoursKeys = false;

    await expect(remember(open())).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });
});

describe("what waits", () => {
  async function queue(count: number): Promise<string[]> {
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();
    const answers = [];
    for (let index = 0; index < count; index++) answers.push(await remember(outbox, { content: `fact ${index}` }));
    await outbox.close();
    far.failure = undefined;
    far.attempts.length = 0;
    return answers.map(({ queue_id }) => String(queue_id));
  }

  const contents = () => far.attempts.map(({ input }) => (input as { content: string }).content);

  it("is delivered by the next process, oldest first, under its own key, project and session", async () => {
    await queue(12);

    await open().drain();

    expect(contents()).toEqual(Array.from({ length: 12 }, (_, index) => `fact ${index}`));
    expect(far.attempts.every(({ call }) => call.idempotencyKey?.startsWith("k"))).toBe(true);
    expect(await files()).toEqual([]);
  });

  it("goes before the next call", async () => {
    await queue(2);

    await remember(open(), { content: "later" });

    expect(contents()).toEqual(["fact 0", "fact 1", "later"]);
  });

  it("stays in order when more is written while the backend is away", async () => {
    await queue(2);
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();

    expect(await remember(outbox, { content: "later" })).toMatchObject({ queued: true });
    expect(contents()).toEqual([]);
    far.failure = undefined;
    await outbox.drain();

    expect(contents()).toEqual(["fact 0", "fact 1", "later"]);
  });

  it("keeps its order when the clock goes back", async () => {
    const [first = ""] = await queue(1);
    const future = `${String(Date.now() + 3_600_000).padStart(14, "0")}-0000-aaaaaaaa`;
    const entry = await entryOf(`${first}.json`);
    await writeFile(
      join(dir, `${future}.json`),
      JSON.stringify({ ...entry, id: future, input: { ...A_FACT, content: "from the future" } }),
    );
    far.failure = "BACKEND_UNREACHABLE";
    const outbox = open();
    await remember(outbox, { content: "now" });
    far.failure = undefined;

    await outbox.drain();

    expect(contents()).toEqual(["fact 0", "from the future", "now"]);
  });

  it("is delivered once by two that drain at once", async () => {
    await queue(40);

    const ends = await Promise.all([open().drain(), open().drain(), open().drain()]);

    expect(ends.sort()).toEqual(["busy", "busy", "done"]);
    expect(far.stored.size).toBe(40);
    expect(far.attempts).toHaveLength(40);
    expect(await files()).toEqual([]);
  });

  it("is drained although a process died with the lock", async () => {
    await queue(3);
    await writeFile(
      join(dir, "drain.lock"),
      JSON.stringify({ owner: "x", pid: 4_000_000, host: (await import("node:os")).hostname() }),
    );

    expect(await open().drain()).toBe("done");
    expect(far.stored.size).toBe(3);
  });

  it.each(["VALIDATION_ERROR", "PROTECTED", "NOT_FOUND", "VERSION_CONFLICT", "PAYLOAD_TOO_LARGE", "REJECTED"] as const)(
    "is moved aside with its error on %s, and the rest goes on",
    async (code) => {
      const [first] = await queue(2);
      far.failure = code;
      const outbox = open();
      expect(await outbox.drain()).toBe("done");

      expect(await files()).toEqual([]);
      expect(await aside()).toHaveLength(2);
      expect(await entryOf(join("refused", `${first}.json`))).toMatchObject({
        refused: { code, message: "as the backend says" },
      });
    },
  );

  it.each([
    "UNAUTHORIZED",
    "FORBIDDEN",
    "CLIENT_TOO_OLD",
    "RATE_LIMITED",
    "BACKEND_PROTOCOL_ERROR",
    "STORAGE_FULL",
  ] as const)("pauses on %s", async (code) => {
    await queue(2);
    far.failure = code;

    expect(await open().drain()).toBe("paused");
    expect(far.attempts).toHaveLength(1);
    expect(await files()).toHaveLength(2);
  });

  it("is not held up by one that the backend fails at", async () => {
    await queue(2);
    const execute = far.execute.bind(far);
    far.execute = async (name, input, call) => {
      if ((input as { content: string }).content === "fact 0")
        throw new ChestError("INTERNAL_ERROR", "as the backend says");
      return execute(name, input, call);
    };

    await open().drain();

    expect(contents()).toEqual(["fact 1"]);
    expect(await files()).toHaveLength(1);
  });

  it("is left alone when it is for another backend, or older than its key", async () => {
    const [first = "", second = ""] = await queue(2);
    await writeFile(
      join(dir, `${first}.json`),
      JSON.stringify({ ...(await entryOf(`${first}.json`)), url: "http://other.example" }),
    );
    const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
    await writeFile(
      join(dir, `${second}.json`),
      JSON.stringify({ ...(await entryOf(`${second}.json`)), queued_at: longAgo }),
    );

    expect(await open().drain()).toBe("done");

    expect(far.attempts).toEqual([]);
    expect(await files()).toHaveLength(2);
  });

  it("is set aside when it is torn, and the rest goes on", async () => {
    const [first = "", second = ""] = await queue(3);
    await writeFile(join(dir, `${first}.json`), '{"format":1,"id":');
    await writeFile(join(dir, `${second}.json`), "");

    await open().drain();

    expect(contents()).toEqual(["fact 2"]);
    expect(await aside()).toEqual([`${first}.unreadable`, `${second}.unreadable`]);
  });

  it("never goes twice to a backend that honours no keys", async () => {
    await queue(2);
    far.honoursKeys = false;
    far.mayHaveArrived = true;
    far.failure = "UNAVAILABLE";
    await open().drain();
    far.failure = undefined;

    await open().drain();

    expect(contents()).toEqual(["fact 0", "fact 1"]);
    expect(far.stored.size).toBe(1);
    expect(await aside()).toHaveLength(1);
  });

  it("does not stop calls when its folder cannot be used", async () => {
    await writeFile(dir, "no folder");

    expect(await remember(open())).toMatchObject({ memory_id: 1 });
  });
});

describe("a write that a token's end refuses", () => {
  it("waits for a token of the same member, and no other one sends it", async () => {
    far.failure = "UNAUTHORIZED";
    const outbox = open();
    const answer = await remember(outbox);
    expect(answer).toMatchObject({ queued: true, note: expect.stringContaining("until a token of the same member") });
    expect(await entryOf((await files())[0])).toMatchObject({ url: URL, member: "alice", token: "token-of-alice" });

    far.failure = undefined;
    sender = { member: "bob", token: "token-of-bob" };
    await outbox.drain();
    expect([far.stored.size, (await files()).length]).toEqual([0, 1]);
    sender = { member: "alice", token: "another-of-alice" };
    await outbox.drain();
    expect([far.stored.size, (await files()).length]).toEqual([1, 0]);
  });

  it("is an error where the token was never accepted: it is wrong, not over", async () => {
    far.failure = "UNAUTHORIZED";
    sender = { member: undefined, token: "mistyped" };
    await expect(remember(open())).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await readdir(dir).catch(() => [])).toEqual([]);
  });

  it("stays an error where a right is missing", async () => {
    far.failure = "FORBIDDEN";
    await expect(remember(open())).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
