import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transcriptOf } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ClaudeCode, type Seen } from "../claude-code/claude-code.ts";
import { type Front, startFront } from "../claude-code/front.ts";
import { type Backend, startBackend } from "../support/backend.ts";
import { AgentMachine } from "../support/clients/hook.ts";
import { fakeClaude, Home, type Installation, install } from "../support/deployment/installation.ts";
import { startTcpProxy, type TcpProxy } from "../support/deployment/tcp-proxy.ts";
import { withStoreFile } from "../support/store-file.ts";

let installation: Installation;
let backend: Backend;
beforeAll(async () => {
  [installation, backend] = await Promise.all([install(), startBackend()]);
});
afterAll(async () => {
  await backend?.stop();
  await installation?.remove();
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A developer's machine on which `setup` was run. */
async function aHome(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Home> {
  const home = await Home.make(installation);
  closing.push(() => home.remove());
  await fakeClaude(home);
  const { exitCode, stderr } = await home.index(["setup", "--yes", ...args], env);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return home;
}

interface Connected {
  readonly claude: ClaudeCode;
  /** Path of the machine's store. */
  readonly store: string;
}

async function atHome(): Promise<Connected> {
  const home = await aHome([]);
  return { claude: new ClaudeCode(home), store: home.path(".chest-memory/chest.db") };
}

async function overTls(): Promise<Connected> {
  const dir = join(installation.dist, "..", "tls");
  await mkdir(dir, { recursive: true });
  const front = await startFront(backend.url, dir);
  closing.push(() => front.stop());
  const tokenFile = join(dir, "token");
  await writeFile(tokenFile, `${backend.token}\n`, { mode: 0o600 });
  const args = ["--docker", front.url, "--token-file", tokenFile];
  const home = await aHome(args, { CHEST_CA_FILE: front.caFile });
  return { claude: new ClaudeCode(home), store: join(backend.dataDir, "chest.db") };
}

const saidAt = (seen: readonly Seen[], step: string): (string | undefined)[] =>
  seen.filter((each) => each.step === step).map(({ said }) => said);
/** Selects the steps in which Chest said something to the agent. */
const heard = (seen: readonly Seen[]): string[] => seen.flatMap(({ step, said }) => (said === undefined ? [] : step));

describe.each([
  ["the store of this machine", atHome],
  ["a backend behind TLS", overTls],
])("an agent with %s", (_, connect) => {
  it("learns by itself, and is shown it when it matters", async () => {
    const { claude } = await connect();
    closing.push(() => claude.close());

    const learning = await claude.play("learns", "session-a");
    expect(saidAt(learning, "chest_remember")[0]).toMatch(/^stored \[memory:\d+\], layer \w+/);
    const [compacted = ""] = saidAt(learning, "SessionStart compact");
    expect(compacted).toMatch(/^<session_knowledge>\n[\s\S]*\n<\/session_knowledge>$/);
    expect(compacted).toContain("- src/upload/client.ts (2 edits)\n");
    expect(compacted).toContain("- Add a retry to the upload client, it gives up on the first 503.\n");
    // The store was empty, so Chest said nothing except the question whether to save what the session found out.
    const asking = learning.find(({ step, said }) => step.startsWith("UserPromptSubmit") && said !== undefined);
    expect(asking?.said).toContain("save it with chest_remember");
    expect(heard(learning)).toEqual(["chest_recall", asking?.step, "chest_remember", "SessionStart compact"]);

    const beginning = await claude.play("begins", "session-b");
    const [begun = ""] = saidAt(beginning, "SessionStart startup");
    expect(begun).toContain("your last session stopped");
    expect(begun).toContain("gateway counts each try against the quota");
    expect(heard(beginning)).toEqual(["SessionStart startup"]);

    // A resumed session is told nothing at its start, so its prompt brings the memory.
    const profiting = await claude.play("profits", "session-c", "resume");
    expect(saidAt(profiting, "UserPromptSubmit why must uploads over 5 MB not be retried?")[0]).toContain("the quota");
    expect(saidAt(profiting, "chest_recall")[0]).toMatch(/<memory_data>\n\[memory:\d+\] .*\n {2}.*three times/);
    expect(saidAt(profiting, "PostToolUseFailure Bash grep -rn backoff.delay src")).toEqual([undefined]);
    const [fix] = saidAt(profiting, "PostToolUseFailure Bash npm test -- upload");
    expect(fix).toContain("backoff.delay became backoff.next in version 3 of the library.");
    expect(ids(profiting)).toEqual([...new Set(ids(profiting))]);

    const resumed = await claude.play("goes-on", "session-a", "resume");
    expect(saidAt(resumed, "SessionStart resume")[0]).toContain("- src/upload/client.ts (2 edits)\n");
  });

  it("remembers what it did as one episode, once, beside another session and though it is killed", async () => {
    const { claude, store } = await connect();
    closing.push(() => claude.close());
    // The agent's first call creates the store.
    await claude.play("learns", `before-${process.pid}`);
    await Promise.all([claude.play("learns", "learns-too"), claude.play("ships", "ships")]);
    expect(episodesOf(store, "ships")).toEqual([SHIPPED]);

    await claude.play("breaks", "breaks", "startup", 5);
    expect(episodesOf(store, "breaks")).toEqual([]);
    for (const next of ["next", "the-one-after"]) await claude.play("begins", next);
    expect(episodesOf(store, "breaks")).toEqual([BROKEN]);
    expect(episodesOf(store, "next")).toEqual([]);
  });
});

const SHIPPED = {
  layer: "context",
  importance: 0.25,
  content: [
    "Worked on src/report.ts: tests failed, then passed; git went well",
    "Edited src/report.ts (2)",
    "`npm test 2>&1` failed, then passed",
    "`git commit -am 'Count refunds in the nightly report'` went well",
  ].join("\n"),
};

const BROKEN = {
  layer: "context",
  importance: 0.25,
  content: [
    "Worked on src/refund.ts: the build failed",
    "Edited src/refund.ts (1)",
    "`npm run build` failed: src/refund.ts(4,7): error TS2304: Cannot find name 'Refund'.",
  ].join("\n"),
};

const episodesOf = (store: string, session: string) =>
  withStoreFile(store, (db) =>
    db
      .prepare("SELECT layer, importance, content FROM memories WHERE source = 'episode' AND session_id = ?")
      .all(session),
  );

/** Collects the ids of all memories that hooks have shown. */
const ids = (seen: readonly Seen[]): string[] =>
  seen
    .filter(({ step }) => !step.startsWith("chest_"))
    .flatMap(({ said = "" }) => [...said.matchAll(/ id=(\d+) /g)].map(([, id = ""]) => id));

describe("an agent whose backend", () => {
  let front: Front;
  let proxy: TcpProxy;
  let machine: AgentMachine;
  beforeEach(async () => {
    const dir = await mkdtemp(join(tmpdir(), "chest-front-"));
    front = await startFront(backend.url, dir);
    proxy = await startTcpProxy(front.port);
    const url = `https://localhost:${proxy.port}`;
    const env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: url, CHEST_API_TOKEN: backend.token };
    machine = new AgentMachine({ ...env, CHEST_CA_FILE: front.caFile });
    closing.push(
      () => rm(dir, { recursive: true, force: true }),
      () => front.stop(),
      () => proxy.close(),
      async () => machine.remove(),
    );
  });

  const FAULTS: Readonly<Record<string, (isOver: boolean) => void>> = {
    "is down": (isOver) => proxy.set({ kind: isOver ? "none" : "refuse" }),
    "hangs for half a minute": (isOver) => {
      front.mood = isOver ? "well" : "hangs";
    },
    "answers 500": (isOver) => {
      front.mood = isOver ? "well" : "fails";
    },
    "shows a certificate that has run out": (isOver) => front.setExpired(!isOver),
    "is at the end of a half-open connection": (isOver) => proxy.set({ kind: isOver ? "none" : "stall" }),
  };

  it.each(Object.entries(FAULTS))("%s is never delayed, and what it learned arrives once", async (name, turn) => {
    const session = name.replaceAll(" ", "-");
    const { user } = transcriptOf(session);
    const transcript_path = machine.transcript(session);
    writeFileSync(transcript_path, `${user(`Never let the ${session} queue drain twice into the archive.`)}\n`);
    turn(false);
    const held = [
      await machine.hook("user-prompt", { session_id: session, prompt: `may the ${session} queue drain twice?` }),
      await machine.hook("stop", { session_id: session, transcript_path }),
      await machine.hook("session-end", { session_id: session, transcript_path, reason: "exit" }),
    ];
    for (const { exitCode, stdout, stderr, ms } of held) {
      expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      // The hook itself may take two seconds by its log; the rest is the time in which a busy machine starts and ends a
      // process.
      expect(ms).toBeLessThan(2500);
    }
    for (const ms of machine.took()) expect(ms).toBeLessThanOrEqual(2000);
    expect(machine.waiting()).toEqual([session]);

    turn(true);
    await rm(join(machine.dataDir, "hooks", "paused"), { force: true });
    const next = { session_id: `after-${session}` };
    await machine.hook("session-start", { ...next, source: "startup" });
    expect(machine.waiting()).toEqual([]);
    expect(machine.log().at(-1)).toMatch(/^session-start .* outcome=(nothing|shown)/);
    const prompt = `may the ${session} queue drain twice?`;
    const { context = "" } = await machine.hook("user-prompt", { session_id: "elsewhere", prompt });
    expect(context.match(/drain twice into the archive/g)).toHaveLength(1);
    await machine.hook("stop", { session_id: session, transcript_path });
    expect(machine.waiting()).toEqual([]);
    expect(rowsOf(session)).toEqual(takenOnce(session));
  });

  it("has a name that does not resolve is never delayed, and what it learned arrives once when it does", async () => {
    const known = join(machine.dataDir, "known");
    const preload = join(machine.dataDir, "names.cjs");
    // A test name server that resolves the name once a file exists.
    writeFileSync(
      preload,
      `const dns = require("node:dns"), { existsSync } = require("node:fs"), { lookup } = dns;
       dns.lookup = (name, options, done) => {
         if (name !== "chest.invalid") return lookup(name, options, done);
         if (existsSync(${JSON.stringify(known)})) return lookup("127.0.0.1", options, done);
         setImmediate(done, Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND", syscall: "getaddrinfo" }));
       };`,
    );
    const url = backend.url.replace("127.0.0.1", "chest.invalid");
    machine.env = { ...machine.env, CHEST_REMOTE_URL: url, NODE_OPTIONS: `--require ${preload}` };
    const { user } = transcriptOf("nameless");
    const transcript_path = machine.transcript("nameless");
    writeFileSync(transcript_path, `${user("Never let the nameless queue drain twice into the archive.")}\n`);
    const asked = { session_id: "nameless", transcript_path, prompt: "may the nameless queue drain twice?" };
    for (const event of ["user-prompt", "stop", "session-end"]) {
      const { ms, ...said } = await machine.hook(event, asked);
      expect(said).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
      expect(ms).toBeLessThan(2500);
    }
    expect(machine.waiting()).toEqual(["nameless"]);

    writeFileSync(known, "");
    await rm(join(machine.dataDir, "hooks", "paused"), { force: true });
    await machine.hook("session-start", { session_id: "after-nameless", source: "startup" });
    await machine.hook("stop", asked);
    expect(machine.waiting()).toEqual([]);
    expect(rowsOf("nameless")).toEqual(takenOnce("nameless"));
    for (const ms of machine.took()) expect(ms).toBeLessThanOrEqual(2000);
  });
});

/** Reads a session's memories of the sentence without recall, which would show equal texts only once. */
const rowsOf = (session: string) =>
  withStoreFile(join(backend.dataDir, "chest.db"), (db) =>
    db
      .prepare("SELECT layer || ': ' || content FROM memories WHERE content LIKE ? ORDER BY 1")
      .pluck()
      .all(`%the ${session} queue drain twice%`),
  );

/** Number of memories made from a session of that one sentence: the rule, the request and the session's purpose. */
const takenOnce = (session: string) => {
  const said = `Never let the ${session} queue drain twice into the archive.`;
  return [
    `context: ${said}`,
    `implementation: A session began with: ${said}\nIt learned: ${said}`,
    `learning: ${said}`,
  ];
};
