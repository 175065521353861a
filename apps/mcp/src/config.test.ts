import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { markdownTable } from "@chest/mcp-server/testing";
import { ConfigError, metaOf } from "@chest/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { z } from "zod";
import { readConfig } from "./config.ts";
import { VARIABLES } from "./variables.ts";

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

it("takes the store from DATABASE_URL before all else, and beside a backend leaves it alone", () => {
  const env = { CHEST_DB_PATH: "/x/a.db", DATABASE_URL: "file:/x/b.db" };
  expect(readConfig(env).place).toMatchObject({ mode: "local", dbPath: "/x/b.db" });
  const theirs = { DATABASE_URL: "postgresql://me:secret@db/x" };
  expect(problemsOf(theirs)).toEqual([expect.stringMatching(/^DATABASE_URL: names no file[^@]*$/)]);
  expect(readConfig({ ...REMOTE, ...theirs }).place.mode).toBe("remote");
});

it("knows the settings of a store, and says which it does not go by", () => {
  const given = { CHEST_RECALL_EMBED_TIMEOUT_MS: "100", CHEST_RANK_W_HEAT: "1", CHEST_PORT: "8765" };
  const { limits, warnings } = readConfig(given);
  expect(limits.queryEmbedMs).toBe(100);
  expect(warnings).toEqual(["without effect in this program: CHEST_RANK_W_HEAT"]);
  expect(readConfig({ ...REMOTE, ...given }).warnings).toEqual([]);
  expect(readConfig({ CHEST_NOSUCH: "1" }).warnings).toEqual(["unknown, so ignored: CHEST_NOSUCH"]);
});

it("is a store on this PC when nothing is set", () => {
  expect(readConfig({})).toMatchObject({
    place: { mode: "local", dbPath: join(homedir(), ".chest-memory/chest.db") },
    project: undefined,
    roots: [],
    limits: { contentChars: 8000 },
    logLevel: "warn",
    warnings: [],
  });
});

it("maintains and backs up a store on this PC by the variables of a backend", () => {
  const given = { CHEST_BACKUP_DIR: "/b", CHEST_BACKUP_INTERVAL_HOURS: "6", CHEST_FORGET_SWEEP_CAP: "50" };
  expect(readConfig({ ...given, CHEST_RERANK_ENABLED: "1" }).place).toMatchObject({
    backups: { dir: "/b", everyHours: 6 },
    maintenance: { forgetCap: 50, archiveCap: 50 },
    reranking: { topN: 20 },
  });
  expect(readConfig({ CHEST_AUTO_MAINTENANCE: "off" }).place).toMatchObject({ maintenance: undefined });
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
      timeoutMs: 200_000,
      hasOutbox: false,
    },
    project: "team/app",
    warnings: ["CHEST_REMOTE_TIMEOUT_MS: 999999 is outside 1000–200000, so 200000 is used"],
  });
});

it.each(["0", "-5"])("goes by the default where CHEST_MAX_CONTENT_CHARS is %s, and says so", (input) => {
  const { limits, warnings } = readConfig({ CHEST_MAX_CONTENT_CHARS: input });
  expect(limits.contentChars).toBe(8000);
  expect(warnings).toEqual([`CHEST_MAX_CONTENT_CHARS: ${input} is outside 1–1000000, so it is ignored`]);
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
    "unknown, so ignored: CHEST_COLOUR",
  ]);
});

it("opens no folder where CHEST_ROOTS is none, and one of that name by its path", () => {
  expect(readConfig({ CHEST_ROOTS: "none" })).toMatchObject({ roots: "none", warnings: [] });
  expect(readConfig({ CHEST_ROOTS: "./none" })).toMatchObject({ roots: [join(process.cwd(), "none")] });
});

it("opens the folders that CHEST_ROOTS names, set apart as in PATH", () => {
  const named = ["~/src", dir, ""].join(delimiter);
  expect(readConfig({ CHEST_ROOTS: named })).toMatchObject({ roots: [join(homedir(), "src"), dir], warnings: [] });
});

it.each([
  ["https://svc:secret@Git.Example/acme/app.git", "git.example/acme/app"],
  ["git@git.example:acme/app.git", "git.example/acme/app"],
  [" my app ", "my app"],
])("knows the project of CHEST_PROJECT=%s", (CHEST_PROJECT, project) => {
  expect(readConfig({ CHEST_PROJECT })).toMatchObject({ project });
});

it.each(["*", "a\nb", "x".repeat(201)])("starts with no project named %j", (CHEST_PROJECT) => {
  expect(() => readConfig({ CHEST_PROJECT })).toThrow(/CHEST_PROJECT/);
});

it("is what the README's table says", async () => {
  const rows = Object.entries<z.ZodType>(VARIABLES).map(([name, schema]) => {
    const { defaultValue } = schema.def as { defaultValue?: unknown };
    const shown = String(defaultValue ?? "").replace(homedir(), "~");
    const names = metaOf(schema).isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return [names, shown === "" ? "" : `\`${shown}\``, metaOf(schema).takes ?? "", schema.description ?? ""];
  });
  const readme = new URL("../README.md", import.meta.url);
  const [before, after] = (await readFile(readme, "utf8")).split(/^\| Variable (?:.+\n)+/m);
  const page = [before, `${markdownTable(["Variable", "Default", "Takes", "For"], rows).join("\n")}\n`, after].join("");

  await expect(page).toMatchFileSnapshot("../README.md");
});
