import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOOK_EVENTS } from "./hook-events.ts";
import { type HooksOptions, installHooks, removeHookProgram, removeHooks } from "./install-hooks.ts";

let dir: string;
let settings: string;
let options: HooksOptions;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-hooks-"));
  settings = join(dir, "settings.json");
  const program = join(dir, "stand-in.mjs");
  writeFileSync(program, "process.stdout.write('hook '.concat(process.argv[2]));\n");
  options = { settings, dataDir: join(dir, "data"), program, node: "node", claudeVersion: "2.1.200", isDry: false };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const text = () => readFileSync(settings, "utf8");
const hooks = () => JSON.parse(text()).hooks;
const command = (argument: string) => `node ${join(dir, "data/bin/chest-hook.mjs")} ${argument}`;
const outcomes = async (over: Partial<HooksOptions> = {}) =>
  (await installHooks({ ...options, ...over })).map(({ outcome }) => outcome);

describe("install-hooks", () => {
  it("registers every event once, with a time limit, for a program in the data folder", async () => {
    await installHooks(options);

    expect(Object.keys(hooks())).toEqual(HOOK_EVENTS.map(({ event }) => event));
    expect(hooks().Stop).toEqual([{ matcher: "", hooks: [{ type: "command", command: command("stop"), timeout: 5 }] }]);
    expect(execFileSync("sh", ["-c", hooks().PreCompact[0].hooks[0].command], { encoding: "utf8" })).toBe(
      "hook pre-compact",
    );
    for (const file of [settings, join(dir, "data/bin/chest-hook.mjs")])
      expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("copies the table beside the program, renews it with the release, and takes it away with the program", async () => {
    const table = join(dir, "data/bin/terms.table");
    writeFileSync(join(dir, "terms.table"), "of this release");
    await installHooks({ ...options, isDry: true });
    expect(existsSync(table)).toBe(false);

    await installHooks(options);
    expect(readFileSync(table, "utf8")).toBe("of this release");
    writeFileSync(join(dir, "terms.table"), "of the next");
    await installHooks(options);
    expect(readFileSync(table, "utf8")).toBe("of the next");

    await removeHookProgram(options);
    expect(readdirSync(join(dir, "data/bin"))).toEqual([]);
  });

  it("changes nothing the second time", async () => {
    await installHooks(options);
    const before = statSync(settings);

    expect(new Set(await outcomes())).toEqual(new Set(["unchanged"]));
    expect(statSync(settings)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("leaves out an event that this Claude Code does not know, and says so: it would ignore the whole file", async () => {
    const steps = await installHooks({ ...options, claudeVersion: "2.0.10" });
    expect(Object.keys(hooks())).not.toContain("PostToolUseFailure");
    expect(steps.find(({ step }) => step === "hook PostToolUseFailure")).toEqual({
      step: "hook PostToolUseFailure",
      outcome: "skipped",
      note: "needs Claude Code 2.1.100 or newer, and this is 2.0.10",
    });

    await installHooks(options);
    expect(Object.keys(hooks())).toContain("PostToolUseFailure");
    await installHooks({ ...options, claudeVersion: "2.0.10" });
    expect(Object.keys(hooks())).not.toContain("PostToolUseFailure");
  });

  it("registers every event where no Claude Code is found: the one that comes will be newer", async () => {
    expect(await outcomes({ claudeVersion: undefined })).not.toContain("skipped");
    expect(Object.keys(hooks())).toEqual(expect.arrayContaining(["PostToolUseFailure", "SubagentStart"]));
  });

  it("keeps what is not ours byte for byte, comments and odd spacing included, and gives it back whole", async () => {
    const theirs = `{
\t// mine
\t"model":   "opus",
\t"hooks": {
\t\t"Stop": [ { "matcher": "", "hooks": [ {"type":"command","command":"say 'chest_recall'"} ] } ],
\t\t"Notification": [],
\t\t"PreToolUse": [{"hooks":[{"type":"command","command":"lint"}],"matcher":"Bash"}]
\t},
\t"env": {"A":"1",},
}
`;
    writeFileSync(settings, theirs);

    await installHooks(options);
    for (const line of [
      '\t"model":   "opus",',
      `{"type":"command","command":"say 'chest_recall'"}`,
      '"Notification": []',
      '\t"env": {"A":"1",},',
    ]) {
      expect(text()).toContain(line);
    }
    expect((await removeHooks(options)).map(({ outcome }) => outcome)).toEqual(HOOK_EVENTS.map(() => "removed"));
    expect(text()).toBe(theirs);
  });

  it("changes only its own handler in an entry that it shares", async () => {
    const neighbour = '{"type":"command","command":"mine --loud"}';
    const before = `{"hooks":{"Stop":[{"matcher":"*","hooks":[${neighbour},{"type":"command","command":"chest-memory-sync"},${neighbour}]}]}}`;
    writeFileSync(settings, before);

    expect((await installHooks(options)).find(({ step }) => step === "hook Stop")?.outcome).toBe("updated");
    expect(hooks().Stop).toHaveLength(1);
    expect(hooks().Stop[0]).toMatchObject({ matcher: "*", hooks: [{}, { command: command("stop"), timeout: 5 }, {}] });
    expect(text().split(neighbour)).toHaveLength(3);

    await removeHooks(options);
    expect(text().split(neighbour)).toHaveLength(3);
    expect(text()).not.toContain("chest-");
  });

  it("makes one of several, whichever release they are from", async () => {
    const old = (line: string) => ({ matcher: "", hooks: [{ type: "command", command: line }] });
    const twice = { matcher: "", hooks: [...old("chest-memory-sync").hooks, ...old("npx chest-memory-sync").hooks] };
    writeFileSync(
      settings,
      JSON.stringify({ hooks: { Stop: [old("node /old/bin/chest-hook.mjs stop"), twice], Notification: [twice] } }),
    );

    await installHooks(options);

    expect(hooks().Stop).toEqual([{ matcher: "", hooks: [{ type: "command", command: command("stop"), timeout: 5 }] }]);
    expect(hooks()).not.toHaveProperty("Notification");
  });

  it("follows a new data folder and a new program", async () => {
    await installHooks(options);
    writeFileSync(options.program, "// newer\n");

    expect((await outcomes())[0]).toBe("updated");
    expect(readFileSync(join(dir, "data/bin/chest-hook.mjs"), "utf8")).toBe("// newer\n");
    await installHooks({ ...options, dataDir: join(dir, "elsewhere") });
    expect(hooks().Stop).toHaveLength(1);
    expect(text()).not.toContain(join(dir, "data/bin"));
  });

  it.each([
    ["half a file", '{\n  "hooks": {\n    "Stop": [\n', "line 4"],
    ["a list", "[]", "not an object"],
    ["hooks that are no object", '{"hooks": []}', "`hooks` is not an object"],
    ["an event that is no list", '{"hooks": {"Stop": {}}}', "`hooks.Stop` is not a list"],
    ["an entry without hooks", '{"hooks": {"Stop": [{"command": "x"}]}}', "`hooks.Stop[0]` has no list of hooks"],
  ])("leaves %s alone and says where it is damaged", async (_, damaged, where) => {
    writeFileSync(settings, damaged);

    await expect(installHooks(options)).rejects.toThrow(where);
    await expect(removeHooks(options)).rejects.toThrow(where);
    expect(text()).toBe(damaged);
    expect(readdirSync(dir).sort()).toEqual(["settings.json", "stand-in.mjs"]);
  });

  it("says what it would do, and does none of it", async () => {
    expect(new Set(await outcomes({ isDry: true }))).toEqual(new Set(["added"]));
    expect(readdirSync(dir)).toEqual(["stand-in.mjs"]);
  });

  it("takes away settings that it made, and leaves those that it found, however empty", async () => {
    await installHooks(options);
    await installHooks(options);
    expect((await removeHooks(options)).at(-1)).toMatchObject({
      outcome: "removed",
      note: expect.stringMatching(/file/),
    });
    expect(existsSync(settings)).toBe(false);
    expect(readFileSync(join(dir, "data/made.json"), "utf8")).not.toContain(settings);

    writeFileSync(settings, "{}\n");
    await installHooks(options);
    expect((await removeHooks(options)).at(-1)).toMatchObject({ outcome: "removed", note: "nothing is left in it" });
    expect(text()).toBe("{}\n");
  });

  it("leaves settings that it made and somebody else wrote to", async () => {
    await installHooks(options);
    writeFileSync(settings, text().replace("{", '{\n  "model": "opus",'));
    await removeHooks({ ...options, isDry: true });
    await removeHooks(options);
    expect(JSON.parse(text())).toEqual({ model: "opus" });
  });

  it("finds nothing to remove where nothing is", async () => {
    expect(await removeHooks(options)).toMatchObject([{ outcome: "absent" }]);
    writeFileSync(settings, '{ "hooks": {} }');
    expect(await removeHooks(options)).toMatchObject([{ outcome: "unchanged" }]);
    expect(text()).toBe('{ "hooks": {} }');
  });

  it("writes what a link leads to, and leaves the link", async () => {
    mkdirSync(join(dir, "dotfiles"));
    symlinkSync("dotfiles/claude.json", settings);

    await installHooks(options);

    expect(readdirSync(join(dir, "dotfiles"))).toEqual(["claude.json"]);
    expect(hooks()).toHaveProperty("Stop");
    expect(readFileSync(join(dir, "dotfiles/claude.json"), "utf8")).toBe(text());
  });
});
