import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ClientProfile, dataDirOf, profileFile, readClientProfile, withClientProfile } from "./client-profile.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-profile-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const URL_HERE = "https://chest.example.org/chest-memory";
const REMOTE: ClientProfile = { mode: "remote", url: URL_HERE, token_file: "/t/token", ca_file: "/t/ca.pem" };
const keep = (profile: unknown) => writeFileSync(profileFile(dir), JSON.stringify(profile));
const merged = (env: Record<string, string> = {}) => withClientProfile({ CHEST_DATA_DIR: dir, ...env });

it("changes nothing where no profile is", () => {
  expect(merged({ CHEST_MODE: "local" })).toEqual({ CHEST_DATA_DIR: dir, CHEST_MODE: "local" });
});

it("says what the environment leaves open", () => {
  keep(REMOTE);
  expect(merged()).toMatchObject({
    CHEST_MODE: "remote",
    CHEST_REMOTE_URL: URL_HERE,
    CHEST_API_TOKEN_FILE: "/t/token",
    CHEST_CA_FILE: "/t/ca.pem",
  });
  keep({ mode: "local", db_path: "/d/chest.db" });
  expect(merged()).toMatchObject({ CHEST_MODE: "local", CHEST_DB_PATH: "/d/chest.db" });
});

it("gives way to the environment", () => {
  keep(REMOTE);
  expect(merged({ CHEST_MODE: "local" }).CHEST_MODE).toBe("local");
  const own = merged({ CHEST_API_TOKEN: "t".repeat(32) });
  expect(own).toMatchObject({ CHEST_API_TOKEN: "t".repeat(32) });
  expect(own.CHEST_API_TOKEN_FILE).toBeUndefined();
});

it("names the language model of a store beside the agent, and of no backend", () => {
  keep({ mode: "local", llm: "claude-cli" });
  expect(merged().CHEST_LLM_PROVIDER).toBe("claude-cli");
  expect(merged({ CHEST_LLM_PROVIDER: "openai" }).CHEST_LLM_PROVIDER).toBe("openai");
  expect(merged({ CHEST_MODE: "remote", CHEST_REMOTE_URL: URL_HERE })).not.toHaveProperty("CHEST_LLM_PROVIDER");
  keep({ mode: "local", llm: "off" });
  expect(merged()).not.toHaveProperty("CHEST_LLM_PROVIDER");
  keep({ ...REMOTE, llm: "claude-cli" });
  expect(merged()).not.toHaveProperty("CHEST_LLM_PROVIDER");
});

it("hands its token to its own backend only", () => {
  keep(REMOTE);
  expect(merged({ CHEST_MODE: "remote", CHEST_REMOTE_URL: `${URL_HERE}/` }).CHEST_API_TOKEN_FILE).toBe("/t/token");
  const other = merged({ CHEST_MODE: "remote", CHEST_REMOTE_URL: "https://other.example.org" });
  expect(other.CHEST_API_TOKEN_FILE).toBeUndefined();
});

it("leaves the mode to the environment once that names a backend", () => {
  keep({ mode: "local" });
  expect(merged({ CHEST_REMOTE_URL: URL_HERE }).CHEST_MODE).toBeUndefined();
});

it.each([
  ["no JSON", "{"],
  ["a list", "[]"],
  ["an unknown mode", '{"mode":"both"}'],
  ["a backend without an address", '{"mode":"remote"}'],
  ["an unknown language model", '{"mode":"local","llm":"gpt"}'],
  ["a number for a path", '{"mode":"local","db_path":7}'],
])("refuses %s by the file's name", (_, text) => {
  writeFileSync(profileFile(dir), text);
  expect(() => readClientProfile(dir)).toThrow(`\`${profileFile(dir)}\` is not a client profile`);
});

it("finds the data folder as the schemas do", () => {
  expect(dataDirOf({})).toBe(join(homedir(), ".chest-memory"));
  expect(dataDirOf({ CHEST_DATA_DIR: "~/chest" })).toBe(join(homedir(), "chest"));
  expect(dataDirOf({ CHEST_DATA_DIR: dir })).toBe(dir);
});
