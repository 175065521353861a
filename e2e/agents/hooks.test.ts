import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteEngine } from "@chest/store-sqlite";
import { transcriptOf } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { AgentMachine, HOOK_PROGRAM } from "../support/clients/hook.ts";
import { CHEST_INDEX, cleanEnv, NODE_24 } from "../support/process.ts";

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
});
afterAll(() => backend?.stop());

const remote = async (machine: AgentMachine) => {
  const tokenFile = join(machine.root, "token");
  writeFileSync(tokenFile, `${backend.token}\n`, { mode: 0o600 });
  machine.env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN_FILE: tokenFile };
};
const local = async (machine: AgentMachine) => {
  const engine = await openSqliteEngine({ path: join(machine.dataDir, "chest.db"), synchronous: "NORMAL" });
  await engine.close();
};

let count = 0;
describe.each([
  ["a backend", remote],
  ["the store of this machine", local],
])("with %s", (_, place) => {
  let machine: AgentMachine;
  beforeEach(async () => {
    machine = new AgentMachine();
    await place(machine);
  });
  afterEach(() => machine.remove());

  const sessions = () => {
    count += 1;
    return [`first-${count}`, `second-${count}`] as const;
  };
  const bird = () => ["heron", "egret", "stork", "crane", "bittern", "ibis", "grebe", "snipe"][count % 8];

  it("stores what a session said, and shows it to another", async () => {
    const [first, second] = sessions();
    const { user } = transcriptOf(first);
    const transcript_path = machine.transcript(first);
    writeFileSync(transcript_path, `${user(`Never let the ${bird()} migration run twice on one database.`)}\n`);

    expect(await machine.hook("stop", { session_id: first, transcript_path })).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
    const prompt = `may the ${bird()} migration run twice?`;
    const asked = { session_id: second, prompt, hook_event_name: "UserPromptSubmit" };
    const shown = await machine.hook("user-prompt", asked);

    expect(machine.log()).toEqual([
      `stop session=${first} outcome=sent`,
      `user-prompt session=${second} outcome=shown=1`,
    ]);
    expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(shown.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: shown.context },
    });
    expect(shown.context).toMatch(/^<chest-recall>\n[\s\S]*migration run twice[\s\S]*\n<\/chest-recall>$/);
    expect((await machine.hook("user-prompt", asked)).stdout).toBe("");
  });

  it("sends new lines only, and starts over where a transcript was rewritten", async () => {
    const [session] = sessions();
    const { user, says } = transcriptOf(session);
    const transcript_path = machine.transcript(session);
    const stop = () => machine.hook("stop", { session_id: session, transcript_path });
    const lines = Array.from({ length: 40 }, (_, at) => says(`Step ${at} of the ${bird()} is done.`));
    writeFileSync(transcript_path, [user(`Let the ${bird()} importer read the new format.`), ...lines, ""].join("\n"));
    await stop();
    appendFileSync(transcript_path, `${user(`Never start the ${bird()} importer before the nightly dump.`)}\n{"half`);
    await stop();
    expect(machine.log()).toEqual(Array(2).fill(`stop session=${session} outcome=sent`));
    expect(machine.waiting()).toEqual([]);

    const other = { session_id: `${session}-x`, prompt: `may the ${bird()} importer start before the dump?` };
    expect((await machine.hook("user-prompt", other)).context).toContain("before the nightly dump");
    writeFileSync(transcript_path, `${user(`Never let the ${bird()} importer read from the replica.`)}\n`);
    await stop();
    expect(machine.log().at(-1)).toBe(`stop session=${session} outcome=sent`);
    const later = { session_id: `${session}-y`, prompt: `may the ${bird()} importer read from the replica?` };
    expect((await machine.hook("user-prompt", later)).context).toContain("read from the replica");
  });

  it("sends a long session in parts, and never delays the agent for it", async () => {
    const [session] = sessions();
    const { user, result } = transcriptOf(session);
    const transcript_path = machine.transcript(session);
    const printed = "a line that a tool gave back\n".repeat(2000);
    const turns = Array.from({ length: 300 }, (_, at) => [
      user(`Let the ${bird()} importer read the format ${at}, please, as it reads the others.`),
      result(`t${at}`, printed),
    ]);
    writeFileSync(transcript_path, `${turns.flat().join("\n")}\n`);
    machine.env = { ...machine.env, CHEST_HOOK_BUDGET_MS: "700" };
    for (let turn = 0; turn < 30 && (turn === 0 || machine.waiting().length > 0); turn++) {
      const { exitCode, stderr } = await machine.hook("stop", { session_id: session, transcript_path });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    }
    expect(machine.waiting()).toEqual([]);
    expect(machine.log().filter((line) => !/outcome=(partly|late|sent)$/.test(line))).toEqual([]);
  });

  it("restores a session's state from before its context was compacted", async () => {
    const [session] = sessions();
    const { user, edits } = transcriptOf(session);
    const transcript_path = machine.transcript(session);
    writeFileSync(
      transcript_path,
      `${[user(`Move the ${bird()} reports to the new queue, please.`), edits("/home/dev/acme/src/queue.ts")].join("\n")}\n`,
    );
    const event = { session_id: session, transcript_path };

    expect((await machine.hook("pre-compact", { ...event, trigger: "auto" })).stdout).toBe("");
    const resumed = await machine.hook("session-start", { ...event, source: "compact" });

    expect(resumed.context).toMatch(/^<session_knowledge>[\s\S]*src\/queue\.ts[\s\S]*<\/session_knowledge>$/);
    expect((await machine.hook("session-end", { ...event, reason: "exit" })).exitCode).toBe(0);
  });

  it("answers no prompt with one of another session", async () => {
    const [first, second] = sessions();
    const { user } = transcriptOf(first);
    const transcript_path = machine.transcript(first);
    const said = `Mend the ${bird()} importer on the staging database, please, and tell me when you are done.`;
    writeFileSync(transcript_path, `${user(said)}\n`);
    await machine.hook("stop", { session_id: first, transcript_path });

    const prompt = `what is wrong with the ${bird()} importer on the staging database?`;
    const { context } = await machine.hook("user-prompt", { session_id: second, prompt });
    expect(context ?? "").not.toContain("Mend the");
  });

  it("hands a session on to the next one only", async () => {
    const [first, second] = sessions();
    const { user, edits } = transcriptOf(first);
    const transcript_path = machine.transcript(first);
    const lines = [user(`Move the ${bird()} reports to the new queue, please.`), edits("/home/dev/acme/src/queue.ts")];
    writeFileSync(transcript_path, `${lines.join("\n")}\n`);
    await machine.hook("session-end", { session_id: first, transcript_path, reason: "exit" });

    const begin = async (session_id: string, source: string) =>
      (await machine.hook("session-start", { session_id, source })).context ?? "";
    const goOn = async (session_id: string, prompt = "continue") =>
      (await machine.hook("user-prompt", { session_id, prompt })).context ?? "";
    expect(await begin(second, "startup")).toMatch(
      /your last session stopped .*: Move the \w+ reports to the new queue/,
    );
    expect((await machine.hook("session-end", { session_id: second, reason: "exit" })).exitCode).toBe(0);
    expect(await begin(`${second}-x`, "startup")).toContain("your last session stopped");
    expect(await goOn(`${second}-x`, "hello")).not.toContain("src/queue.ts");
    expect(await goOn(`${second}-x`)).toMatch(/Where the last session here ended:[\s\S]*src\/queue\.ts/);
    expect(await begin(`${second}-y`, "startup")).not.toContain("last session");
    expect(await begin(`${second}-z`, "clear")).not.toContain("last session");
    expect(await goOn(`${second}-z`)).not.toContain("src/queue.ts");
  });

  it("shows a memory when it is needed, though the start's list had it, and to each agent by itself", async () => {
    const [first, session] = sessions();
    const { user } = transcriptOf(first);
    const transcript_path = machine.transcript(first);
    writeFileSync(
      transcript_path,
      `${user(`Never import the database from src/${bird()}/index.ts, it breaks the worker.`)}\n`,
    );
    await machine.hook("stop", { session_id: first, transcript_path });

    const tool_input = { file_path: join(machine.cwd, `src/${bird()}/index.ts`) };
    const edit = { session_id: session, tool_name: "Edit", tool_input };
    const begun = await machine.hook("session-start", { session_id: session, source: "startup" });
    expect(begun.context).toContain("What is known of this project:");
    const agent_id = "agent-7";
    const sub = await machine.hook("subagent-start", { session_id: session, agent_id, agent_type: "Explore" });
    expect(sub.context).toContain("What is known of this project:");
    expect((await machine.hook("pre-tool", { ...edit, agent_id })).context).toContain("breaks the worker");
    expect((await machine.hook("pre-tool", { ...edit, agent_id })).stdout).toBe("");
    expect((await machine.hook("pre-tool", edit)).context).toContain("breaks the worker");
    expect((await machine.hook("pre-tool", edit)).stdout).toBe("");
  });

  it("warns before an edit, once, and names the past fix when a command fails", async () => {
    const [first, session] = sessions();
    const { user, says, edits, runs, result } = transcriptOf(first);
    const transcript_path = machine.transcript(first);
    const lines = [
      user(`Never import the database from src/${bird()}/index.ts, it breaks the worker.`),
      runs("npm test", "t1"),
      result("t1", `TypeError: ${bird()}.parseRows is not a function`),
      says(`parseRows of the ${bird()} moved to the reader in version four.`),
      edits(`/home/dev/acme/src/${bird()}.ts`),
      runs("npm test", "t2"),
      result("t2"),
    ];
    writeFileSync(transcript_path, `${lines.join("\n")}\n`);
    await machine.hook("stop", { session_id: first, transcript_path });

    const edit = {
      session_id: session,
      tool_name: "Edit",
      tool_input: { file_path: join(machine.cwd, `src/${bird()}/index.ts`) },
    };
    const warned = await machine.hook("pre-tool", { ...edit, hook_event_name: "PreToolUse" });
    expect(JSON.parse(warned.stdout).hookSpecificOutput).toEqual({
      hookEventName: "PreToolUse",
      additionalContext: expect.stringContaining("breaks the worker"),
    });
    expect((await machine.hook("pre-tool", edit)).stdout).toBe("");

    const failed = {
      session_id: session,
      hook_event_name: "PostToolUseFailure",
      tool_name: "Bash",
      tool_input: { command: "npm test" },
      error: `Exit code 1\nTypeError: ${bird()}.parseRows is not a function`,
    };
    expect((await machine.hook("post-tool", failed)).context).toContain("moved to the reader");
    const looked = { ...failed, tool_input: { command: "grep -rn parseRows src" } };
    expect((await machine.hook("post-tool", looked)).stdout).toBe("");
  });
});

describe("a hook", () => {
  let machine: AgentMachine;
  beforeEach(async () => {
    machine = new AgentMachine();
  });
  afterEach(() => machine.remove());

  it.each([
    ["no JSON", "stop", "{"],
    ["nothing", "user-prompt", ""],
    ["a list", "user-prompt", "[]"],
    ["no session", "user-prompt", '{"prompt":"how does the heron gateway work?"}'],
    ["a session of odd characters", "stop", '{"session_id":"%41/../x"}'],
    ["an event that nobody knows", "no-such-event", "{}"],
  ])("exits 0 and silently on %s", async (_, event, input) => {
    expect(await machine.hook(event, input)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("sends no file but the agent's own transcripts", async () => {
    await remote(machine);
    const { user } = transcriptOf("secrets");
    const outside = join(machine.root, "secrets.jsonl");
    writeFileSync(outside, `${user("Never let the pelican secrets leave this machine.")}\n`);
    symlinkSync(outside, machine.transcript("linked"));

    for (const transcript_path of [outside, machine.transcript("linked"), machine.transcript("absent")]) {
      await machine.hook("stop", { session_id: "secrets", transcript_path });
    }
    expect(machine.log()).toEqual(Array(3).fill("stop session=secrets outcome=no_transcript"));
  });

  it("keeps its log readable by its owner only, and without any stored text", async () => {
    await remote(machine);
    await machine.hook("user-prompt", { session_id: "a", prompt: "where does the osprey token live?" });
    expect(machine.log()).toEqual(["user-prompt session=a outcome=nothing"]);
    expect(statSync(join(machine.dataDir, "hook.log")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["chest-memory-user-prompt-submit", { prompt: "where does the osprey token live?" }, "user-prompt"],
    ["chest-memory-sync", {}, "stop"],
    ["chest-memory-precompact", {}, "pre-compact"],
    ["chest-memory-session-start", { source: "startup" }, "session-start"],
  ])("is run by %s, which settings of 1.5 name", async (program, said, event) => {
    await local(machine);
    const input = JSON.stringify({ session_id: "a", cwd: machine.cwd, ...said });
    const env = { ...cleanEnv({}), CHEST_DATA_DIR: machine.dataDir };
    const alias = join(HOOK_PROGRAM, "..", `${program}.mjs`);
    const { status, stdout, stderr } = spawnSync(NODE_24, [alias], { input, env, encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(machine.log()).toEqual([expect.stringMatching(`^${event} session=a outcome=(nothing|no_transcript|sent)$`)]);
  });

  it("does nothing on a Node that is too old for it, and says so at a session's start", () => {
    // Node before 20.16 had no such function.
    const older = ["--import", "data:text/javascript,delete process.getBuiltinModule"];
    const input = JSON.stringify({ session_id: "a", cwd: machine.cwd });
    const run = (...words: string[]) =>
      spawnSync(NODE_24, [...older, machine.program, ...words], { input, env: cleanEnv({}), encoding: "utf8" });
    expect(run("stop")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(run("session-start", "cursor")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const { status, stdout, stderr } = run("session-start");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringMatching(/need Node 20\.19 .* this is \d/) });
    expect(machine.log()).toEqual([]);
  });

  it.each([
    ["that can leave a read behind", []],
    ["that cannot", ["--import", "data:text/javascript,delete process.execve"]],
  ])("reads an event that arrives in pieces, and does not wait for an end of input, on a Node %s", async (_, older) => {
    const input = JSON.stringify({
      session_id: "a",
      cwd: machine.cwd,
      prompt: `where does the ${"osprey ".repeat(9000)}live?`,
    });
    const start = () => {
      const env = cleanEnv({ HOME: machine.root });
      const child = spawn(NODE_24, [...older, machine.program, "user-prompt"], {
        env,
        stdio: ["pipe", "pipe", "pipe"],
      });
      return { child, over: Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]) };
    };
    const whole = start();
    for (const from of [0, 10_000, 40_000]) {
      whole.child.stdin.write(input.slice(from, from === 0 ? 10_000 : from === 10_000 ? 40_000 : undefined));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    whole.child.stdin.end();
    expect(await whole.over).toEqual([[0, null], "", ""]);
    const endless = start();
    endless.child.stdin.write(input);
    expect(await endless.over).toEqual([[0, null], "", ""]);
    // A complete event is handled although the pipe stays open.
    expect(machine.log()).toEqual(Array(2).fill("user-prompt session=a outcome=no_store"));
  });

  it("waits for the rest of half an event, and ends in time where it does not come", async () => {
    const { status, stdout, stderr } = spawnSync(
      "sh",
      ["-c", `(printf '{"session_id":'; sleep 4) | "$0" "$1" stop`, NODE_24, machine.program],
      {
        env: cleanEnv({ HOME: machine.root }),
        encoding: "utf8",
      },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(machine.log()).toEqual(["stop outcome=no_event"]);
  });

  it("reads events of any size, through a slow pipe, and with a byte-order mark", async () => {
    await local(machine);
    rememberedHere(machine, "Never import the database from src/osprey/index.ts, it breaks the worker.");
    const file_path = join(machine.cwd, "src/osprey/index.ts");
    const whole = "const osprey = 1;\n".repeat(200_000);
    const edit = { tool_name: "Edit", tool_input: { file_path, old_string: "1", new_string: whole } };
    expect((await machine.hook("pre-tool", { session_id: "a", ...edit })).context).toContain("breaks the worker");
    const edited = { ...edit, tool_response: { filePath: file_path, originalFile: whole, userModified: false } };
    expect((await machine.hook("post-tool", { session_id: "a", ...edited })).exitCode).toBe(0);
    const prompt = `may src/osprey/index.ts import the database?\n${"and here is a log line\n".repeat(100_000)}`;
    await machine.hook("user-prompt", { session_id: "b", prompt });
    const marked = JSON.stringify({ session_id: "c", cwd: machine.cwd, ...edit });
    expect((await machine.hook("pre-tool", `\uFEFF${marked}`)).context).toContain("breaks the worker");
    const slow = spawnSync("sh", ["-c", `(sleep 0.7; cat) | "$0" "$1" pre-tool`, NODE_24, machine.program], {
      input: marked.replace('"c"', '"d"'),
      env: cleanEnv({ HOME: machine.root }),
      encoding: "utf8",
      maxBuffer: 10_000_000,
    });
    expect(slow.stdout).toContain("breaks the worker");
    expect(machine.log().filter((line) => line.includes("no_event"))).toEqual([]);
  });

  it.each<[string, (machine: AgentMachine) => void, NodeJS.ProcessEnv]>([
    ["a marker file in it", ({ cwd }) => writeFileSync(join(cwd, ".chest-off"), ""), {}],
    ["a marker file above it", ({ root }) => writeFileSync(join(root, ".chest-off"), ""), {}],
    ["a list of projects", () => {}, { CHEST_EXCLUDE: "git.example/other, git.example/acme/*" }],
    ["a list of folders", () => {}, { CHEST_EXCLUDE: "/**/acme/" }],
    ["a list on lines", () => {}, { CHEST_EXCLUDE: "\uFEFFgit.example/other\r\ngit.example/acme/acme\r\n" }],
    ["a marker file in the folder behind a link", putBehindLink, {}],
  ])("leaves out a project by %s", async (_, mark, env) => {
    await local(machine);
    rememberedHere(machine, "Never import the database from src/osprey/index.ts, it breaks the worker.");
    mark(machine);
    machine.env = env;
    const [transcript_path, prompt] = [machine.transcript("a"), "may src/osprey/index.ts import the database?"];
    writeFileSync(transcript_path, `${transcriptOf("a").user("Never let the osprey importer run at night.")}\n`);
    const said = [
      await machine.hook("session-start", { session_id: "a", transcript_path, source: "startup" }),
      await machine.hook("user-prompt", { session_id: "a", transcript_path, prompt }),
      await machine.hook("stop", { session_id: "a", transcript_path }),
    ];
    expect(said.map(({ stdout }) => stdout)).toEqual(["", "", ""]);
    expect(machine.log().map((line) => line.replace(/.*outcome=/, ""))).toEqual(Array(3).fill("excluded"));
    expect(existsSync(join(machine.dataDir, "hooks"))).toBe(false);
  });

  it.each<[string, (machine: AgentMachine) => void, NodeJS.ProcessEnv]>([
    ["for all", () => {}, { CHEST_CAPTURE: "off" }],
    ["for one project", ({ cwd }) => writeFileSync(join(cwd, ".chest-off"), "capture\n"), {}],
  ])("shows memories and stores nothing where capture is off %s", async (_, mark, env) => {
    await local(machine);
    rememberedHere(machine, "Never import the database from src/osprey/index.ts, it breaks the worker.");
    mark(machine);
    machine.env = env;
    const [transcript_path, prompt] = [machine.transcript("a"), "may src/osprey/index.ts import the database?"];
    const { user, edits } = transcriptOf("a");
    writeFileSync(
      transcript_path,
      `${user("Never let the osprey importer run at night.")}\n${edits("src/osprey.ts")}\n`,
    );
    const event = { session_id: "a", transcript_path };
    expect((await machine.hook("user-prompt", { ...event, prompt })).context).toContain("breaks the worker");
    await machine.hook("post-tool", { ...event, tool_name: "Edit", tool_input: { file_path: "src/osprey.ts" } });
    for (const name of ["stop", "pre-compact", "session-end"]) await machine.hook(name, event);
    expect(machine.log().slice(1)).toEqual([
      "post-tool session=a outcome=not_noted",
      "stop session=a outcome=not_noted",
      "pre-compact session=a outcome=not_noted",
      "session-end session=a outcome=not_noted",
    ]);
    expect(machine.waiting()).toEqual([]);
    machine.env = {};
    const other = { session_id: "b", prompt: "may the osprey importer run at night?" };
    expect((await machine.hook("user-prompt", other)).context ?? "").not.toContain("at night");
  });

  it("loses no event of sixteen concurrent sessions, and continues where one ended", async () => {
    await local(machine);
    // Other tests run at the same time; within the usual two seconds, a Node process that starts slowly would read
    // nothing.
    machine.env = { CHEST_HOOK_BUDGET_MS: "5000" };
    const names = Array.from({ length: 16 }, (_, nth) => `crowd-${nth}`);
    for (const name of names) {
      const { user, edits } = transcriptOf(name);
      const lines = Array.from({ length: 800 }, (_, nth) => [
        user(`Let the osprey importer of ${name} read the format ${nth}, please, as it reads the others.`),
        edits(`/home/dev/acme/src/osprey-${nth % 40}.ts`),
      ]);
      writeFileSync(machine.transcript(name), `${lines.flat().join("\n")}\n`);
    }
    const stop = (name: string) =>
      machine.hook("stop", { session_id: name, transcript_path: machine.transcript(name) });
    const ended = await Promise.all(names.map(stop));
    expect(ended.map(({ exitCode, stderr }) => `${exitCode}${stderr}`)).toEqual(Array(16).fill("0"));
    expect(machine.log().filter((line) => !/outcome=(sent|partly|late|failed)/.test(line))).toEqual([]);
    for (let nth = 0; machine.waiting().length > 0 && nth < 100; nth++) await stop(names[nth % 16] ?? "");
    expect(machine.waiting()).toEqual([]);
  });

  it("knows the project by the folder that its host names, or that the session began in", async () => {
    await local(machine);
    await said(machine, "Never import the database from src/osprey/index.ts, it breaks the worker.");
    const elsewhere = join(machine.root, "elsewhere");
    mkdirSync(elsewhere);
    const file_path = join(machine.cwd, "src/osprey/index.ts");
    const edit = (session_id: string, cwd: string) =>
      machine.hook("pre-tool", { session_id, cwd, tool_name: "Edit", tool_input: { file_path } });
    expect((await edit("a", elsewhere)).context).toBeUndefined();
    await machine.hook("session-start", { session_id: "b", source: "startup" });
    expect((await edit("b", elsewhere)).context).toContain("breaks the worker");
    expect((await edit("c", join(machine.cwd, "src"))).context).toContain("breaks the worker");
    machine.env = { CLAUDE_PROJECT_DIR: machine.cwd };
    expect((await edit("d", elsewhere)).context).toContain("breaks the worker");
  });

  it("speaks only at the starts that CHEST_SESSION_START names", async () => {
    await local(machine);
    await said(machine, "Never let the osprey importer read more than 500 rows.");
    machine.env = { CHEST_SESSION_START: "compact,resume" };
    const begin = async (source: string) =>
      (await machine.hook("session-start", { session_id: source, source })).context ?? "";
    expect([await begin("startup"), await begin("clear")]).toEqual(["", ""]);
    const { user, edits } = transcriptOf("compact");
    const transcript_path = machine.transcript("compact");
    writeFileSync(transcript_path, `${user("Mend the osprey importer, please.")}\n${edits("src/osprey.ts")}\n`);
    await machine.hook("pre-compact", { session_id: "compact", transcript_path });
    expect(await begin("compact")).toContain("src/osprey.ts");
    machine.env = {};
    expect(await begin("startup")).toContain("500 rows");
  });

  it("does nothing when switched off, or when there is no store to ask", async () => {
    const asked = { session_id: "a", prompt: "where does the osprey token live?" };
    machine.env = { CHEST_HOOKS: "off" };
    expect((await machine.hook("user-prompt", asked)).stdout).toBe("");
    expect(machine.log()).toEqual([]);
    machine.env = {};
    await machine.hook("user-prompt", asked);
    expect(machine.log()).toEqual(["user-prompt session=a outcome=no_store"]);
  });
});

describe("by meaning, with this machine's store", () => {
  let machine: AgentMachine;
  beforeEach(() => {
    machine = new AgentMachine();
  });
  afterEach(() => machine.remove());

  const CONTENT = "Doctors and nurses wash their hands with soap before every surgery in the hospital.";
  const QUESTION = "医院里医生和护士在每次手术前用肥皂洗手吗？";
  const asked = (session: string, prompt = QUESTION) => machine.hook("user-prompt", { session_id: session, prompt });

  it("shows an English memory for a Chinese prompt, nothing for another subject, and needs no table", async () => {
    await local(machine);
    rememberedHere(machine, CONTENT);

    expect((await asked("a")).context).toContain(CONTENT);
    expect((await asked("b", "每天早上厨师在餐厅厨房的大烤箱里烤面包和蛋糕吗？")).context).toBeUndefined();
    machine.env = { CHEST_EMBED_MODEL: "none" };
    expect((await asked("c")).context).toBeUndefined();
    machine.env = {};
    rmSync(join(machine.dataDir, "bin/terms.table"));
    expect(await asked("d")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    writeFileSync(join(machine.dataDir, "bin/terms.table"), "damaged");
    expect(await asked("e")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    expect(machine.log().map((line) => line.replace(/.*outcome=/, ""))).toEqual([
      "shown=1",
      "nothing",
      "nothing",
      "nothing",
      "nothing",
    ]);
  });
});

/** Runs a session in the machine's project that says something and ends. */
async function said(machine: AgentMachine, words: string): Promise<void> {
  const transcript_path = machine.transcript("before");
  writeFileSync(transcript_path, `${transcriptOf("before").user(words)}\n`);
  await machine.hook("stop", { session_id: "before", transcript_path });
}

/** Stores a memory with its vector, like an agent's client. */
/** Leads to the project by a symbolic link, out of a folder that is kept out. */
function putBehindLink({ root, cwd }: AgentMachine): void {
  mkdirSync(join(root, "private"));
  renameSync(cwd, join(root, "private/acme"));
  symlinkSync(join(root, "private/acme"), cwd);
  writeFileSync(join(root, "private/.chest-off"), "");
}

function rememberedHere({ dataDir, cwd, root }: AgentMachine, content: string): void {
  const env = cleanEnv({ HOME: root, CHEST_DATA_DIR: dataDir });
  const { status, stderr } = spawnSync(NODE_24, [CHEST_INDEX, "remember", content], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}
