import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ConfigError } from "@chest/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readConfig } from "./config.ts";

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-config-"));
});

afterEach(() => rm(dir, { recursive: true }));

const REMOTE = {
  CHEST_MODE: "remote",
  CHEST_REMOTE_URL: "https://chest.example/team/",
  CHEST_API_TOKEN: "t".repeat(32),
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

it("is a store on this PC when nothing is set", () => {
  expect(readConfig({})).toMatchObject({
    place: { mode: "local", dbPath: join(homedir(), ".chest-memory/chest.db") },
    project: undefined,
    roots: [],
    limits: { contentChars: 8000 },
    logLevel: "info",
    warnings: [],
  });
});

it("is a backend, with what it takes to get there", async () => {
  await writeFile(join(dir, "token"), `${"f".repeat(40)}\n`);
  await writeFile(join(dir, "ca.pem"), "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n");
  const { CHEST_API_TOKEN, ...env } = REMOTE;

  expect(
    readConfig({
      ...env,
      CHEST_API_TOKEN_FILE: join(dir, "token"),
      CHEST_CA_FILE: join(dir, "ca.pem"),
      HTTPS_PROXY: "http://proxy:3128",
      NO_PROXY: "intern",
      CHEST_OUTBOX: "off",
      CHEST_REMOTE_TIMEOUT_MS: "999999",
      CHEST_PROJECT: " team/app ",
    }),
  ).toMatchObject({
    place: {
      mode: "remote",
      token: "f".repeat(40),
      ca: expect.stringContaining("BEGIN CERTIFICATE"),
      proxy: { https: "http://proxy:3128", except: "intern" },
      timeoutMs: 120_000,
      hasOutbox: false,
    },
    project: "team/app",
    warnings: ["CHEST_REMOTE_TIMEOUT_MS: 999999 is outside 1000–120000, so it counts as 120000"],
  });
});

it("names everything that is wrong at once", () => {
  expect(
    problemsOf({
      CHEST_MODE: "remote",
      CHEST_OUTBOX: "maybe",
      CHEST_CA_FILE: join(dir, "none"),
      CHEST_LOG_LEVEL: "loud",
    }),
  ).toEqual([
    "CHEST_REMOTE_URL: is not set, and CHEST_MODE=remote needs it",
    "CHEST_API_TOKEN: is not set, and CHEST_MODE=remote needs it",
    expect.stringContaining("CHEST_CA_FILE"),
    expect.stringContaining("CHEST_OUTBOX"),
    expect.stringContaining("CHEST_LOG_LEVEL"),
  ]);
});

it.each([
  [{ CHEST_MODE: "cloud" }, "CHEST_MODE"],
  [{ ...REMOTE, CHEST_REMOTE_URL: "chest.example" }, "CHEST_REMOTE_URL"],
  [{ ...REMOTE, CHEST_REMOTE_URL: "ftp://chest.example" }, "CHEST_REMOTE_URL"],
  [{ ...REMOTE, CHEST_API_TOKEN: "two words" }, "CHEST_API_TOKEN"],
  [{ ...REMOTE, CHEST_API_TOKEN: "", CHEST_API_TOKEN_FILE: "/nowhere" }, "CHEST_API_TOKEN_FILE"],
])("refuses %o by the variable's name, without a secret", (env, name) => {
  const problems = problemsOf(env);

  expect(problems).toEqual([expect.stringContaining(name)]);
  expect(problems.join()).not.toContain("two words");
});

it("warns of what it does not know", () => {
  expect(readConfig({ CHEST_COLOUR: "red", CHEST_TELEMETRY: "0" }).warnings).toEqual([
    "without effect yet: CHEST_TELEMETRY",
    "not known, so ignored: CHEST_COLOUR",
  ]);
});

it("opens the folders that CHEST_ROOTS names, set apart as in PATH", () => {
  const named = ["~/src", dir, ""].join(delimiter);
  expect(readConfig({ CHEST_ROOTS: named })).toMatchObject({ roots: [join(homedir(), "src"), dir], warnings: [] });
});
