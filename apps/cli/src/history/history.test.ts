import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { localCaller } from "@chest/core/access";
import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import { systemClock } from "@chest/core/ports";
import { captureTranscript } from "@chest/core/transcript";
import { FIXTURE_ENV, fixtureModels } from "@chest/models/testing";
import type { Env } from "@chest/runtime";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, aCaller, transcriptOf } from "@chest/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured } from "../testing/captured.ts";

let dir: string;
let env: Env;
let acme: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-history-"));
  env = { CHEST_DATA_DIR: join(dir, "data"), CLAUDE_CONFIG_DIR: join(dir, "claude") };
  acme = join(dir, "checkouts/acme");
  write("checkouts/acme/.git/config", '[remote "origin"]\n\turl = git@git.example:acme/api.git\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const place = (path: string) => join(dir, path);
function write(path: string, text: string): string {
  mkdirSync(dirname(place(path)), { recursive: true });
  writeFileSync(place(path), text);
  return place(path);
}
const run = (words: string) => captured(words, env);
const json = async (words: string) => JSON.parse((await run(`${words} --json`)).stdout);

const SESSION = "3f1d0c5e-0000-4000-8000-000000000001";
const TRANSCRIPT = `claude/projects/-checkouts-acme/${SESSION}.jsonl`;

/** Makes a session with two prompts and three edits in the acme checkout. */
function aSession(session = SESSION) {
  const { user, says, edits } = transcriptOf(session, acme);
  // Dated yesterday: a memory of the last minute is left to its writer's embedding, and a future time counts as now.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  return [
    user("Make the login tokens expire after fifteen minutes, please."),
    says("The check compares milliseconds with seconds."),
    edits(join(acme, "src/token.ts")),
    user("ok"),
    user("Never commit the generated client to the repository."),
    edits(join(acme, "src/index.ts")),
    edits(join(acme, "src/index.ts")),
  ].map((line) => `${line.replaceAll("2026-11-21T", `${yesterday}T`)}\n`);
}

describe("a forgotten memory", () => {
  it("stays forgotten in a store that an archive brings it to", async () => {
    write(TRANSCRIPT, aSession().join(""));
    await run("import --all --skip-embed");
    const { memories } = await json("recall client --project git.example/acme/api");
    expect(memories).toHaveLength(1);
    expect((await run(`forget ${memories[0].id}`)).code).toBe(0);
    await run(`export --out ${place("all.ndjson")}`);

    env = { ...env, CHEST_DATA_DIR: place("other"), CLAUDE_CONFIG_DIR: place("elsewhere") };
    expect((await run(`import --archive ${place("all.ndjson")}`)).code).toBe(0);
    const again = aSession("3f1d0c5e-0000-4000-8000-000000000002").join("");
    write("elsewhere/projects/-checkouts-acme/3f1d0c5e-0000-4000-8000-000000000002.jsonl", again);
    const { stdout } = await run("import --all --skip-embed");
    expect(stdout).toContain("say what was forgotten 1");
    expect(await json("recall client --project git.example/acme/api")).toMatchObject({ count: 0 });
  });
});

describe("an import of an agent's history", () => {
  it.each<[string, () => Env | string]>([
    ["a marker in the folder", () => write("checkouts/acme/.chest-off", "")],
    ["a marker of capture above it", () => write("checkouts/.chest-off", "capture")],
    ["the list of projects", () => ({ CHEST_EXCLUDE: "git.example/acme/*" })],
    ["the list of folders", () => ({ CHEST_EXCLUDE: `~/none, ${acme}` })],
    ["the switch", () => ({ CHEST_CAPTURE: "off" })],
    [
      "the switch in the project's settings",
      () => write("checkouts/acme/.claude/settings.json", '\uFEFF{"env": {"CHEST_CAPTURE": "off"}}'),
    ],
    ["the list in the agent's settings", () => write("claude/settings.json", '{"env": {"CHEST_EXCLUDE": "*/acme/*"}}')],
  ])("leaves out what hooks do not record either, and counts it: by %s", async (_, keepOut) => {
    write(TRANSCRIPT, aSession().join(""));
    write("claude/projects/-checkouts-acme/memory/notes.md", "The heron service is deployed by hand.");
    const by = keepOut();
    if (typeof by !== "string") env = { ...env, ...by };
    for (const words of ["import --all --skip-embed", "sync", `import --session-file ${place(TRANSCRIPT)}`])
      expect(await json(words)).toMatchObject({
        sessions: { parsed: 0, skipped: 0, excluded: 1 },
        memories: { inserted: 0 },
        memory_files: 0,
        exit_code: 0,
      });
    expect((await run("import --all --skip-embed")).stdout).toContain(
      "lines: 0 new; 1 session of what is kept out of Chest\n",
    );
    expect((await run(`import --session-file ${place(TRANSCRIPT)}`)).stdout).toContain("is kept out of Chest");
  });

  it("assigns every session to the project of its git remote, and says what was kept and why the rest was not", async () => {
    write(TRANSCRIPT, aSession().join(""));
    const { code, stdout, stderr } = await run("import --all --skip-embed");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      `imported 1 session of 1 project into ${place("data/chest.db")}`,
      "lines: 7 new",
      "memories: 5 came in, 0 updated; file edits: 3",
      "kept 5 candidates: file_edit 2, first_intent 1, realize 1, session_summary 1",
      expect.stringMatching(/^left out \d candidates: .*acknowledgements 1/),
      "",
    ]);
    const recalled = await json("recall client --project git.example/acme/api");
    expect(JSON.stringify(recalled)).toContain("Never commit the generated client");
  });

  it("continues where it stopped, and a repeat imports nothing", async () => {
    const [first = "", ...rest] = aSession();
    write(TRANSCRIPT, first);
    expect(await json("import --all --skip-embed")).toMatchObject({ lines: { read: 1 }, memories: { inserted: 1 } });
    appendFileSync(place(TRANSCRIPT), rest.join(""));
    const whole = await json("import --all --skip-embed");
    expect(whole).toMatchObject({ lines: { read: 6 }, edits: 3, exit_code: 0 });
    expect(await json("import --all --skip-embed")).toMatchObject({
      projects: ["git.example/acme/api"],
      sessions: { parsed: 1, skipped: 0 },
      lines: { read: 0, skipped: 0 },
      memories: { inserted: 0, updated: 0 },
      edits: 0,
      errors: [],
    });
  });

  it("says what it would do, and creates no store for that", async () => {
    write(TRANSCRIPT, aSession().join(""));
    const dry = await json("import --all --dry-run");
    expect(dry).toMatchObject({ dry_run: true, memories: { inserted: 5 }, edits: 3 });
    expect(existsSync(place("data/chest.db"))).toBe(false);
    expect((await json("import --all --skip-embed")).memories).toEqual(dry.memories);
    expect(await json("import --all --dry-run")).toMatchObject({ memories: { inserted: 0 }, lines: { read: 0 } });
  });

  it("counts once what two transcripts say alike, as a real import does", async () => {
    write(TRANSCRIPT, aSession().join(""));
    write(TRANSCRIPT.replace("0001", "0002"), aSession(SESSION.replace("0001", "0002")).join(""));
    const dry = await json("import --all --dry-run");
    expect((await json("import --all --skip-embed")).memories).toEqual(dry.memories);
    expect(dry.memories.same_words).toBeGreaterThan(0);
  });

  it("reports memories older than the lifetime of their layer, and stores them as told", async () => {
    const long = aSession().map((line) => line.replaceAll(/"timestamp":"\d{4}/g, '"timestamp":"2023'));
    write(TRANSCRIPT, long.join(""));
    const { stdout } = await run("import --all --skip-embed");
    expect(stdout).toMatch(/^memories: 0 came in/m);
    expect(stdout).toMatch(/^of these not new: older than the lifetime of their layer 5$/m);
    expect(stdout).toMatch(/^hint: .*`--keep-old fresh`.*`--keep-old archived`/m);

    const told = "of these older than the lifetime of their layer: 5, archived\n";
    expect((await run("import --all --skip-embed --keep-old archived --dry-run")).stdout).toContain(told);
    expect((await run("import --all --skip-embed --keep-old archived")).stdout).toContain(told);
    expect((await json("status")).store).toMatchObject({ live: 0, archived: 5 });
    expect((await json("import --all --skip-embed --keep-old archived")).memories).toMatchObject({ inserted: 0 });

    env = { ...env, CHEST_DATA_DIR: place("other") };
    const fresh = await run("import --all --skip-embed --keep-old fresh");
    expect(fresh.stdout).toContain("of these older than the lifetime of their layer: 5, with a lifetime from now\n");
    expect((await json("status")).store).toMatchObject({ live: 5, archived: 0 });
  });

  it("reads the named folders, without links and subagents' files", async () => {
    write("old/laptop/one.jsonl", aSession("one").join(""));
    write("old/laptop/one/subagents/agent-1.jsonl", aSession("one").join(""));
    write("elsewhere/two.jsonl", aSession("two").join(""));
    write("elsewhere/notes.txt", "no transcript");
    symlinkSync(place("elsewhere"), place("old/link"));
    expect(await json(`import ${place("old")} --skip-embed`)).toMatchObject({ sessions: { parsed: 1 } });
    expect(await json(`import ${place("old")} ${place("elsewhere")} --skip-embed`)).toMatchObject({
      sessions: { parsed: 2 },
      lines: { read: 7 },
    });
  });

  it("is run by `sync` for what is new", async () => {
    const file = write(TRANSCRIPT, aSession().join(""));
    expect(await json("sync")).toMatchObject({ lines: { read: 7 }, memories: { inserted: 5 } });
    expect((await run(`sync --session-file ${file}`)).stdout).toMatch(/^\[ok\] .*: 0 new lines/);
  });

  it("is no failure of `sync` where no agent has recorded anything, and creates no store", async () => {
    const { code, stdout, stderr } = await run("sync");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("imported 0 sessions");
    expect(existsSync(place("data/chest.db"))).toBe(false);
    expect(await run("import --all")).toMatchObject({ code: 2, stderr: expect.stringContaining("no transcripts") });
  });

  it("marks what hooks had not delivered as delivered, with `sync`, except what was not imported", async () => {
    const pending = (session: string, over: object = {}) =>
      write(
        `data/outbox/sessions/${session}.json`,
        JSON.stringify({ session, place: place("data/chest.db"), since: new Date().toISOString(), keep: [], ...over }),
      );
    const told = pending(SESSION, {
      transcript: place(TRANSCRIPT),
      project: "git.example/acme/api",
      keep: ["session-end"],
    });
    const gone = pending("gone", { transcript: place("claude/projects/gone.jsonl") });
    expect(await json("sync")).toMatchObject({ settled: 2, exit_code: 0 });
    expect([told, gone].map((file) => existsSync(file))).toEqual([false, false]);

    write(TRANSCRIPT, aSession().join(""));
    pending(SESSION, { transcript: place(TRANSCRIPT), project: "git.example/acme/api", keep: ["session-end"] });
    const elsewhere = pending("elsewhere", { place: "https://chest.example", transcript: place(TRANSCRIPT) });
    const outside = pending("outside", { transcript: write("outside.jsonl", aSession("outside").join("")) });
    expect((await run("sync")).stdout).toContain("sessions that the hooks had not reported yet: 1, reported now\n");
    expect([told, elsewhere, outside].map((file) => existsSync(file))).toEqual([false, true, true]);
    const engine = await openSqliteEngine({ path: place("data/chest.db"), synchronous: "NORMAL" });
    const caller = { ...localCaller(undefined, { name: "test", version: "1" }), project: "git.example/acme/api" };
    expect(await engine.as(aCall({ caller })).sessions.workSnapshot(SESSION)).toBeDefined();
    await engine.close();
  });

  it("prints one line for one session", async () => {
    const file = write(TRANSCRIPT, aSession().join(""));
    expect((await run(`import --session-file ${file} --skip-embed`)).stdout).toBe(
      `[ok] ${file}: 7 new lines, 5 memories came in, 0 updated, 3 file edits\n`,
    );
  });

  it("skips broken lines and files that are no sessions, and counts both", async () => {
    write(TRANSCRIPT, ["not json\n", "null\n", ...aSession(), '{"type":"user","cut o'].join(""));
    write("claude/projects/-checkouts-acme/events.jsonl", '{"event":"deploy"}\n');
    expect(await json("import --all --skip-embed")).toMatchObject({
      sessions: { parsed: 1, skipped: 1 },
      lines: { read: 9, skipped: 2 },
      memories: { inserted: 5 },
      exit_code: 0,
    });
  });

  it("continues after a refused session, and exits 1", async () => {
    const refused = write(TRANSCRIPT, aSession(`AK${"IA"}Q7RTX3ZM5KWV2LYD`).join(""));
    write("claude/projects/-checkouts-acme/other.jsonl", aSession("other").join(""));
    const { code, stdout } = await run("import --all --skip-embed");
    expect(code).toBe(1);
    expect(stdout).toContain("imported 1 session of 1 project");
    expect(stdout).toMatch(new RegExp(`not taken: ${refused}: .*credential`));
  });

  it("imports a session whose id another member uses", async () => {
    write(TRANSCRIPT, aSession().join(""));
    const somebody = aCaller({ member: { id: 77, name: "somebody" } });
    const engine = await openSqliteEngine({ path: place("data/chest.db") });
    const ports = { store: engine.as(aCall({ caller: somebody })), clock: systemClock };
    await captureTranscript(() => aSession(), {}, ports, somebody);
    await engine.close();
    expect(await json("import --all --skip-embed")).toMatchObject({ memories: { inserted: 5 }, exit_code: 0 });
  });

  it("imports the notes beside the transcripts, and archives those whose file is gone", async () => {
    write(TRANSCRIPT, aSession().join(""));
    const beside = dirname(TRANSCRIPT);
    write(`${beside}/memory/MEMORY.md`, "- [tabs](tabs.md)");
    write(`${beside}/memory/tabs.md`, "---\nname: tabs\ntype: feedback\n---\nIndent the yam files with tabs.");
    write(`${beside}/memory/queue.md`, "The queue of the kiwi service is drained at night.");
    expect(await json("import --all --dry-run")).toMatchObject({ memory_files: 2, memories: { inserted: 7 } });
    expect(await json("import --all --skip-embed")).toMatchObject({ memory_files: 2, memories: { inserted: 7 } });
    expect(await json("import --all --dry-run")).toMatchObject({ memories: { inserted: 0, unchanged: 2 } });
    expect(await json("import --all --skip-embed")).toMatchObject({
      memories: { inserted: 0, unchanged: 2, archived: 0 },
    });
    rmSync(place(`${beside}/memory/queue.md`));
    expect((await run("import --all --skip-embed")).stdout).toContain(
      "notes kept by hand: 1; 1 archived, their files are gone",
    );
    rmSync(place(`${beside}/memory/tabs.md`));
    expect(await json("import --all --skip-embed")).toMatchObject({
      memory_files: 1,
      memories: { inserted: 1, archived: 1 },
    });
  });

  it("keeps notes in their project beside a transcript that another member has imported too", async () => {
    write(TRANSCRIPT, aSession().join(""));
    write(`${dirname(TRANSCRIPT)}/memory/queue.md`, "The queue of the kiwi service is drained at night.");
    const somebody = aCaller({ member: { id: 77, name: "somebody" } });
    const engine = await openSqliteEngine({ path: place("data/chest.db") });
    const ports = { store: engine.as(aCall({ caller: somebody })), clock: systemClock };
    await captureTranscript(() => aSession(), {}, ports, somebody);
    await engine.close();
    expect(await json("import --all --skip-embed")).toMatchObject({ memory_files: 1, exit_code: 0 });
    const recalled = await json("recall kiwi --project git.example/acme/api");
    expect(JSON.stringify(recalled)).toContain("kiwi");
  });

  it("puts everything into a named project", async () => {
    write(TRANSCRIPT, aSession().join(""));
    expect(await json("import --all --skip-embed --project host/org/pear")).toMatchObject({
      projects: ["host/org/pear"],
    });
  });

  it.each([
    ["", "nothing to import was named"],
    ["--all --session-file x", "give one source only"],
    ["--all --from chest15 x", "give one source only"],
    ["--all x", "unexpected argument `x`"],
    ["--all --keep-old forever", "`--keep-old forever` is not a way to keep it"],
    ["--archive x --keep-old fresh", "`--keep-old` is for sessions"],
    ["/nowhere/at/all", "there is no folder"],
    ["--session-file /nowhere/at/all", "cannot be read (ENOENT)"],
    ["--all", "there are no transcripts at"],
  ])("refuses `import %s`", async (words, why) => {
    const { code, stderr } = await run(`import ${words}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(why) });
    expect(stderr).toContain("hint: ");
  });

  describe("with a model", { timeout: 60_000 }, () => {
    beforeEach(async () => {
      env = { ...env, CHEST_MODELS_DIR: place("models"), ...FIXTURE_ENV };
      cpSync(await fixtureModels(), place("models"), { recursive: true });
      write(TRANSCRIPT, aSession().join(""));
    });
    const active = async () => (await json("status")).embedding.active.model;

    it("creates the store for the configured model, and embeds the imported memories", async () => {
      const { code, stdout } = await run("import --all");
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("embedded 1; 0 remain") });
      expect(await active()).toBe(FIXTURE_ENV.CHEST_EMBED_MODEL);
    });

    it("says who embeds what was written in these seconds, and what does later", async () => {
      const now = new Date().toISOString();
      write(
        TRANSCRIPT,
        aSession()
          .join("")
          .replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${now}"`),
      );
      const { code, stdout } = await run("import --all");
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /embedded 0; \d remain, left to their writers of the last 10 seconds, .*`chest-index pending-resync`/,
      );
    });

    it("leaves an existing store on its own model", async () => {
      await (await openSqliteEngine({ path: place("data/chest.db") })).close();
      expect(await run("import --all --skip-embed")).toMatchObject({ code: 0 });
      expect(await active()).toBe(BUILTIN_IDENTITY.model);
    });

    it("creates no store for an unknown model without a description", async () => {
      env = { ...env, CHEST_EMBED_MODEL: "acme/unheard-of", CHEST_EMBED_DIMENSIONS: undefined };
      const { code, stderr } = await run("import --all");
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("CHEST_EMBED_DIMENSIONS") });
      expect(existsSync(place("data/chest.db"))).toBe(false);
    });

    it("succeeds, and says so, where embedding fails", async () => {
      const weights = globSync("**/*.onnx", { cwd: place("models") });
      for (const file of weights) writeFileSync(join(place("models"), file), "damaged");
      const { code, stdout } = await run("import --all");
      expect(code).toBe(0);
      expect(stdout).toContain("memories: 5 came in");
      expect(stdout).toMatch(/^found by their words; .*pending-resync.* \(.+\)$/m);
    });
  });

  it("stops where the store cannot be opened", async () => {
    write(TRANSCRIPT, aSession().join(""));
    write("data/chest.db", "this is no database at all, whatever its name may say");
    expect(await run("import --all --skip-embed")).toMatchObject({ code: 2 });
  });
});
