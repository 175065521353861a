import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClaudeCode, type Seen } from "../claude-code/claude-code.ts";
import { type Backend, startBackend } from "../support/backend.ts";
import { fakeClaude, Home, type Installation, install } from "../support/deployment/installation.ts";

let installation: Installation;
let backend: Backend;
const homes: Home[] = [];
beforeAll(async () => {
  [installation, backend] = await Promise.all([install(), startBackend()]);
});
afterAll(async () => {
  for (const home of homes) await home.remove();
  await backend?.stop();
  await installation?.remove();
});

/** Date of the first commit, which is equal in all clones. */
const BEGUN = "2026-01-05T09:00:00Z";

/** Sets up a member's machine, connected to the backend, with its own clone of the repository. */
async function machineOf(member: string): Promise<{ claude: ClaudeCode; git(words: string): void }> {
  const home = await Home.make(installation);
  homes.push(home);
  await fakeClaude(home);
  const place = { CHEST_DATA_DIR: backend.dataDir };
  const made = await home.index(["token", "create", "--member", member, "--json"], place);
  const token = home.path("token");
  await writeFile(token, `${JSON.parse(made.stdout).token}\n`, { mode: 0o600 });
  const { exitCode, stderr } = await home.index(["setup", "--yes", "--docker", backend.url, "--token-file", token]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  const claude = new ClaudeCode(home);
  const cwd = home.path("work/acme");
  const git = (words: string) =>
    void execFileSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.test", ...words.split(" ")], {
      cwd,
      stdio: "ignore",
      env: { ...process.env, GIT_AUTHOR_DATE: BEGUN, GIT_COMMITTER_DATE: BEGUN },
    });
  git("init -b main");
  git("commit --allow-empty -m begun");
  return { claude, git };
}

const saidAt = (seen: readonly Seen[], step: string) => seen.find((each) => each.step.startsWith(step))?.said ?? "";

/** Prints what the agents saw in that week, for a person to read. */
function print(day: string, seen: readonly Seen[]): void {
  for (const { step, said } of seen) {
    if (said !== undefined) process.stdout.write(`\n── ${day}: ${step}\n${said}\n`);
  }
}

it("a week: begin, work, clear, go on, a colleague between, another machine, end", async () => {
  const laptop = await machineOf("alice");
  const desktop = await machineOf("alice");
  const colleague = await machineOf("bob");
  const play = async (day: string, { claude }: { claude: ClaudeCode }, source = "startup", reason?: "clear") => {
    const seen = await claude.play(`week-${day}`, `session-${day}`, source, undefined, reason);
    print(day, seen);
    return seen;
  };

  const monday = await play("monday", laptop, "startup", "clear");
  expect(saidAt(monday, "SessionStart")).toBe("");
  expect(saidAt(monday, "chest_context")).toBe("nothing yet");

  const tuesday = await play("tuesday", laptop, "clear");
  expect(saidAt(tuesday, "SessionStart clear")).not.toContain("last session");
  expect(saidAt(tuesday, "SessionStart clear")).toContain("Let the credit-note export stream as well");
  const goingOn = saidAt(tuesday, "UserPromptSubmit carry on");
  expect(goingOn).toContain("Where the last session here ended:");
  expect(goingOn).toContain("TS2345");
  expect(goingOn.match(/reads 500 rows at a time/g)).toHaveLength(1);

  const wednesday = await play("wednesday", colleague);
  const others = saidAt(wednesday, "SessionStart startup");
  expect(others).not.toContain("Where the last session here ended:");
  expect(others).toContain("reads 500 rows at a time");

  const thursday = await play("thursday", desktop);
  const begun = saidAt(thursday, "SessionStart startup");
  expect(begun).toMatch(/your last session stopped on \S+ on main, last asked: /);
  expect(begun).toContain("new from bob");
  expect(begun).toContain("open work 1. W#1 Let the credit-note export stream as well (alice)");
  expect(begun.match(/W#1 /g)).toHaveLength(1);
  expect(begun.match(/Never open the cursor/g)).toHaveLength(1);
  expect(saidAt(thursday, "chest_remember")).toContain("closed W#1");

  laptop.git("commit --allow-empty -m pulled");
  const friday = await play("friday", laptop);
  expect(saidAt(friday, "SessionStart startup")).toContain('view "session" and session_id "session-thursday"');
  expect(saidAt(friday, "chest_inspect")).toContain("src/export/credit-notes.ts (2 edits)");
  expect(saidAt(friday, "chest_inspect")).toContain("] Credit notes stream in pages of 500 rows too");
  expect(saidAt(friday, "chest_work")).toContain("no open work");
  const shown = [...thursday, ...friday].flatMap(({ said = "" }) => said.match(/[^\n]+/g) ?? []);
  expect(shown.length).toBeLessThan(120);
  for (const { claude } of [laptop, desktop, colleague]) await claude.close();
});
