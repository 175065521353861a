import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const ASKED = JSON.stringify({ session_id: "s1", prompt: "how do we deploy the site?", cwd: tmpdir() });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-hook-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function hook(event: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN, event], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      HOME: dir,
      CHEST_DATA_DIR: dir,
      CHEST_HOOK_BUDGET_MS: "5000",
      ...env,
    },
  });
  child.stdin.on("error", () => {});
  child.stdin.end(ASKED);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

it.skipIf(process.platform !== "linux")("ends, in silence, where no folder can be made", async () => {
  // For a folder below this file, the system keeps answering that there is no such parent.
  for (const event of ["user-prompt", "stop", "session-end"]) {
    expect(await hook(event, { CHEST_DATA_DIR: "/proc/chest/data" })).toEqual({ code: 0, stdout: "", stderr: "" });
  }
});

/** Its log, without times. */
const logged = () =>
  readFileSync(join(dir, "hook.log"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/^\S+ /, "").replace(/ ms=\d+/, ""));

it.each([
  ["CHEST_MODE", "bogus", "neither local nor remote"],
  ["CHEST_REMOTE_URL", "nope", "not an http or https URL"],
  ["CHEST_HOOK_BUDGET_MS", "abc", "not a number"],
  ["CHEST_OUTBOX", "perhaps", "neither on nor off"],
  ["CHEST_HOOKS", "userprompt", "no event is called userprompt"],
  ["DATABASE_URL", "postgresql://me:secret@db/chest", "not a `file:` URL"],
])("goes on without %s=%s, by the profile, and says so in its log", async (name, value, why) => {
  const engine = await openSqliteEngine({ path: join(dir, "own.db") });
  await engine.close();
  writeFileSync(join(dir, "client.json"), JSON.stringify({ mode: "local", db_path: join(dir, "own.db") }));
  expect(await hook("user-prompt", { [name]: value })).toEqual({ code: 0, stdout: "", stderr: "" });
  const [first, second] = logged();
  expect(first).toBe(`user-prompt setting=${name} ignored: ${why}`);
  // On a machine that is busy its two seconds may be over.
  expect(second).toMatch(/ outcome=(nothing|late)$/);
});

it("acts on the events that are named, and names in its log what is none", async () => {
  const env = { CHEST_HOOKS: "stop, usrprompt" };
  await hook("user-prompt", env);
  await hook("stop", env);
  expect(logged()).toEqual([
    "user-prompt setting=CHEST_HOOKS ignored: no event is called usrprompt",
    "stop setting=CHEST_HOOKS ignored: no event is called usrprompt",
    "stop session=s1 outcome=no_transcript",
  ]);
});

it("opens the store that DATABASE_URL names, before any other", async () => {
  const env = { DATABASE_URL: `file:${join(dir, "named.db")}`, CHEST_DB_PATH: join(dir, "other.db") };
  await hook("user-prompt", env);
  const engine = await openSqliteEngine({ path: join(dir, "named.db") });
  await engine.close();
  await hook("user-prompt", env);
  expect(logged()).toEqual(["user-prompt session=s1 outcome=no_store", "user-prompt session=s1 outcome=nothing"]);
});
