import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { transcriptOf } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { AgentMachine, type Hooked } from "../support/clients/hook.ts";
import { startTcpProxy, type TcpProxy } from "../support/deployment/tcp-proxy.ts";
import { withStoreFile } from "../support/store-file.ts";

let backend: Backend;
let proxy: TcpProxy;
beforeAll(async () => {
  backend = await startBackend();
  proxy = await startTcpProxy(Number(new URL(backend.url).port));
});
afterAll(async () => {
  await proxy?.close();
  await backend?.stop();
});

const WELL = { exitCode: 0, stderr: "" };
const SILENT = { ...WELL, stdout: "" };
const ENDED = "Where the last session here ended:";
const STOPPED = "your last session stopped";
let count = 0;
let machine: AgentMachine;
beforeEach(() => {
  count += 1;
  // The tests are about the results, not about the time that a busy machine takes for them.
  const env = {
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: `http://127.0.0.1:${proxy.port}`,
    CHEST_HOOK_BUDGET_MS: "5000",
  };
  machine = new AgentMachine({ ...env, CHEST_API_TOKEN: backend.token });
  git("init", "-b", "main");
  git("remote", "add", "origin", `https://git.example/acme/luck-${count}.git`);
});
afterEach(() => {
  proxy.set({ kind: "none" });
  machine.remove();
});

/** Runs git in the agent's folder; `init` first makes a new repository there. */
function git(...args: string[]): void {
  if (args[0] === "init") rmSync(join(machine.cwd, ".git"), { recursive: true, force: true });
  const author = ["-c", "user.name=Dev", "-c", "user.email=dev@example.test", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...author, ...args], { cwd: machine.cwd, stdio: "ignore" });
}
const commit = () => git("commit", "--allow-empty", "-m", `at ${Math.random()}`);

/** Writes the transcript of a session with these lines. */
function aSession(name: string, lines?: (made: ReturnType<typeof transcriptOf>) => readonly string[]) {
  const session_id = `${name}-${count}`;
  const transcript_path = machine.transcript(session_id);
  const made = lines?.(transcriptOf(session_id, machine.cwd));
  if (made) writeFileSync(transcript_path, made.map((line) => `${line}\n`).join(""));
  const event = (event: string, over: object = {}): Promise<Hooked> =>
    machine.hook(event, { session_id, transcript_path, ...over });
  return { session_id, event, start: (source = "startup") => event("session-start", { source }) };
}

const rowsOf = (session: string) =>
  withStoreFile(join(backend.dataDir, "chest.db"), (db) =>
    db.prepare("SELECT source || ': ' || content FROM memories WHERE session_id = ? ORDER BY id").pluck().all(session),
  ) as string[];
/** Repeats an event: on a busy machine it may run out of time, and the next one delivers the rest. */
async function toldAll(): Promise<void> {
  const { event } = aSession("passes");
  for (let turn = 0; turn < 10 && machine.waiting().length > 0; turn++) await event("stop");
  expect(machine.waiting()).toEqual([]);
}
const once = (rows: readonly string[]) => expect(rows).toHaveLength(new Set(rows).size);

const work = ({ user, edits }: ReturnType<typeof transcriptOf>) => [
  user("Move the dunlin reports to the new queue, please."),
  edits(join(machine.cwd, "src/queue.ts")),
];

describe("a session's end", () => {
  it("reported twice at once leaves each memory once, and one handoff", async () => {
    const { session_id, event } = aSession("twice", work);
    const ends = ["stop", "session-end", "stop", "session-end"].map((name) => event(name, { reason: "exit" }));
    for (const end of await Promise.all(ends)) expect(end).toMatchObject(SILENT);
    await toldAll();
    const rows = rowsOf(session_id);
    expect(rows.length).toBeGreaterThan(0);
    once(rows);
    const goesOn = async (session: ReturnType<typeof aSession>) => {
      await session.start();
      return session.event("user-prompt", { prompt: "please continue" });
    };
    const begun = await Promise.all([goesOn(aSession("next-a")), goesOn(aSession("next-b"))]);
    expect(begun.filter(({ context = "" }) => context.includes(ENDED))).toHaveLength(1);
  });

  it("after a clear is told at any commit, where the next session asks for it", async () => {
    commit();
    const before = aSession("clear", work);
    await before.event("session-end", { reason: "clear" });
    git("checkout", "-b", "elsewhere");
    commit();
    const cleared = aSession("cleared");
    expect((await cleared.start("clear")).context ?? "").not.toContain("queue");
    const { context } = await cleared.event("user-prompt", { prompt: "please continue" });
    expect(context).toContain(ENDED);
    expect(context).toContain("src/queue.ts");
  });

  it("at another commit is mentioned, and told to a first prompt that continues it", async () => {
    commit();
    await aSession("left", work).event("session-end", { reason: "exit" });
    commit();
    const next = aSession("found");
    const { context } = await next.start();
    expect(context).not.toContain(ENDED);
    expect(context).toContain("your last session stopped");
    expect((await next.event("user-prompt", { prompt: "please continue" })).context).toContain("src/queue.ts");
    expect((await next.event("user-prompt", { prompt: "please continue" })).context ?? "").not.toContain(ENDED);
  });
});

describe("a compaction", () => {
  it("of a session that never began is stored, and told after it", async () => {
    const { event, start } = aSession("late", work);
    expect(await event("pre-compact", { trigger: "auto" })).toMatchObject(SILENT);
    expect((await start("compact")).context).toContain("src/queue.ts");
  });

  it("that nothing preceded says nothing", async () => {
    const { start } = aSession("nothing");
    expect(await start("compact")).toMatchObject(SILENT);
    expect(await start("resume")).toMatchObject(SILENT);
  });
});

describe("a repository", () => {
  it("without a commit leaves a handoff, and names what was changed", async () => {
    await aSession("young", work).event("session-end", { reason: "exit" });
    mkdirSync(join(machine.cwd, "src"));
    writeFileSync(join(machine.cwd, "src/queue.ts"), "x");
    const { context } = await aSession("younger").start();
    expect(context).toContain(STOPPED);
    expect(context).toContain("branch main; 1 changed: src/");
  });

  it("of 100,000 changed files is described without a list of them", async () => {
    commit();
    await aSession("large", work).event("session-end", { reason: "exit" });
    const options = { cwd: machine.cwd, encoding: "utf8" } as const;
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { ...options, input: "x\n" }).trim();
    const files = Array.from({ length: 100_000 }, (_, nth) => `100644 ${blob}\td${nth % 500}/file-${nth}.txt`);
    execFileSync("git", ["update-index", "--index-info"], { ...options, input: `${files.join("\n")}\n` });
    const begun = await aSession("larger").start();
    expect(begun).toMatchObject(WELL);
    expect(begun.context).toContain(STOPPED);
    expect(begun.context).not.toContain("changed:");
    expect(begun.context?.length).toBeLessThan(1000);
    expect(machine.log().at(-1)).toMatch(/outcome=shown/);
  });

  it("that is bare counts as none", async () => {
    rmSync(join(machine.cwd, ".git"), { recursive: true });
    execFileSync("git", ["init", "--bare", "."], { cwd: machine.cwd, stdio: "ignore" });
    expect(await aSession("bare").start()).toMatchObject(WELL);
  });

  it("whose git does not answer in time is described without its changes", async () => {
    commit();
    await aSession("slow", work).event("session-end", { reason: "exit" });
    const bin = join(machine.root, "bin");
    mkdirSync(bin);
    const asked = join(bin, "asked");
    writeFileSync(join(bin, "git"), `#!/bin/sh\ntouch '${asked}'\nexec sleep 30\n`);
    chmodSync(join(bin, "git"), 0o755);
    machine.env = { ...machine.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const begun = await aSession("slower").start();
    expect(existsSync(asked)).toBe(true);
    expect(begun).toMatchObject(WELL);
    expect(begun.context).toContain(STOPPED);
    expect(begun.context).not.toContain("changed:");
    expect(machine.log().at(-1)).toMatch(/outcome=shown/);
  });
});

it.each([
  ["lines of another program", ['{"role":"user","parts":[{"text":"Never feed the ruff twice."}]}', '{"kind":"end"}']],
  ["no JSON", ["user: never feed the ruff twice", "assistant: as you say"]],
  ["bytes", ["\u0000\ufffd\u0001".repeat(200)]],
  [
    "a line of lists and nulls",
    ["[]", "null", '{"type":"user","message":null}', '{"type":"assistant","message":{"content":7}}'],
  ],
])("a transcript that is %s leaves nothing, and is not waited for", async (_, lines) => {
  const { session_id, event } = aSession("foreign", () => lines);
  for (const name of ["stop", "pre-compact", "session-end"]) expect(await event(name)).toMatchObject(SILENT);
  expect(rowsOf(session_id)).toEqual([]);
  expect(machine.waiting()).toEqual([]);
});

it("a backend that is down at every event delays none, and gets everything once", async () => {
  const { session_id, event, start } = aSession("down", ({ user, edits, runs, result }) => [
    user("Never let the whimbrel queue drain twice."),
    edits(join(machine.cwd, "src/whimbrel.ts")),
    runs("npm test", "t1"),
    result("t1", "TypeError: whimbrel.drain is not a function"),
  ]);
  const edit = { tool_name: "Edit", tool_input: { file_path: join(machine.cwd, "src/whimbrel.ts") } };
  const failed = { tool_name: "Bash", tool_input: { command: "npm test" }, error: "TypeError: whimbrel.drain is none" };
  proxy.set({ kind: "refuse" });
  const held = [
    await start(),
    await event("user-prompt", { prompt: "may the whimbrel queue drain twice?" }),
    await event("pre-tool", edit),
    await event("post-tool", { hook_event_name: "PostToolUseFailure", ...failed }),
    await event("pre-compact", { trigger: "auto" }),
    await event("stop"),
    await event("session-end", { reason: "exit" }),
  ];
  for (const each of held) expect(each).toMatchObject(SILENT);
  expect(machine.waiting()).toEqual([session_id]);
  expect(rowsOf(session_id)).toEqual([]);

  proxy.set({ kind: "none" });
  await rm(join(machine.dataDir, "hooks", "paused"), { force: true });
  await aSession("up").start();
  await toldAll();
  const rows = rowsOf(session_id);
  expect(rows.join("\n")).toContain("whimbrel");
  once(rows);
  const after = aSession("after");
  expect((await after.start()).context).toContain(STOPPED);
  expect((await after.event("user-prompt", { prompt: "please continue" })).context).toContain("src/whimbrel.ts");
  await event("stop");
  expect(rowsOf(session_id)).toEqual(rows);
});
