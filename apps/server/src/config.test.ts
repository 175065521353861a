import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import { markdownTable } from "@chest/mcp-server/testing";
import { type ConfigError, KNOWN_NAMES, metaOf } from "@chest/runtime";
import { expect, it } from "vitest";
import type { z } from "zod";
import { readConfig } from "./config.ts";
import { VARIABLES, WITHOUT_EFFECT } from "./variables.ts";

const TOKEN = { CHEST_API_TOKEN: "t".repeat(32) };

it("requires only a token", () => {
  const { config, warnings } = readConfig({ ...TOKEN, HOME: "/home/dev" });

  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    http: { port: 8765, host: "0.0.0.0", trustProxyHops: 0, hasDocs: true, mcpOrigins: [], toolSet: "all" },
    access: { scopes: new Set(["read", "write", "operate"]) },
    rates: { requests: 6000, writes: 3000 },
    store: { synchronous: "FULL", searchTimeoutMs: 2000 },
    limits: { contentChars: 8000, queryEmbedMs: 3000 },
    logLevel: "info",
  });
  expect(config.store.searchThreads).toBeGreaterThanOrEqual(1);
});

it("keeps everything in the data folder unless told otherwise", () => {
  const { store } = readConfig({ ...TOKEN, CHEST_DATA_DIR: "/data" }).config;
  expect(store).toMatchObject({ dataDir: "/data", dbPath: "/data/chest.db", backupDir: "/data/backups" });

  const apart = readConfig({
    ...TOKEN,
    CHEST_DATA_DIR: "/data",
    CHEST_DB_PATH: "/fast/x.db",
    CHEST_BACKUP_DIR: "/far",
  });
  expect(apart.config.store).toMatchObject({ dbPath: "/fast/x.db", backupDir: "/far" });
});

it("prefers DATABASE_URL to all else, and refuses every database that is not a file", () => {
  const dbPath = (DATABASE_URL: string) =>
    readConfig({ ...TOKEN, CHEST_DB_PATH: "/fast/x.db", DATABASE_URL }).config.store.dbPath;
  expect(dbPath("file:/data/theirs.db")).toBe("/data/theirs.db");
  expect(dbPath("")).toBe("/fast/x.db");
  try {
    dbPath("postgresql://me:secret@db/chest");
    expect.unreachable();
  } catch (error) {
    expect((error as ConfigError).problems).toEqual([expect.stringMatching(/^DATABASE_URL: names no file/)]);
    expect((error as ConfigError).message).not.toContain("secret");
  }
});

it("names every problem at once", () => {
  try {
    readConfig({ CHEST_API_TOKEN: "short", CHEST_PORT: "x", CHEST_FUSION: "y", CHEST_API_TOKEN_SCOPES: "root" });
    expect.unreachable();
  } catch (error) {
    expect((error as ConfigError).problems).toHaveLength(4);
    expect((error as ConfigError).message).not.toContain("short");
  }
});

it("accepts a known model by name, and another one by its description", () => {
  const embedding = (env: object) => readConfig({ ...TOKEN, CHEST_DATA_DIR: "/data", ...env }).config.embedding;
  expect(embedding({})).toMatchObject({ choice: { identity: BUILTIN_IDENTITY }, modelsDir: "/data/models" });
  expect(embedding({ CHEST_EMBED_MODEL: "none" }).choice).toMatchObject({ isOff: true });
  expect(embedding({ CHEST_EMBED_MODEL: "local", CHEST_MODELS_DIR: "/models" })).toMatchObject({
    choice: { identity: { model: "Xenova/multilingual-e5-small", dimensions: 384, pooling: "mean" } },
    modelsDir: "/models",
  });
  const described = { CHEST_EMBED_MODEL: "acme/words", CHEST_EMBED_DIMENSIONS: "64", CHEST_EMBED_POOLING: "cls" };
  expect(embedding(described).choice.identity).toMatchObject({ model: "acme/words", dimensions: 64, pooling: "cls" });
  expect(() => embedding({ CHEST_EMBED_MODEL: "acme/words" })).toThrow(/CHEST_EMBED_MODEL: `acme\/words`.*DIMENSIONS/);
});

it("scales the weights of the ranking to a sum of 1", () => {
  const { weights } = readConfig({ ...TOKEN, CHEST_RANK_W_RELEVANCE: "1", CHEST_RANK_W_HEAT: "1" }).config.ranking;

  expect(weights.relevance + weights.heat + weights.momentum + weights.importance).toBeCloseTo(1);
  expect(weights.relevance).toBe(weights.heat);
});

it("keeps its default weights when all are set to 0", () => {
  const none = {
    CHEST_RANK_W_RELEVANCE: "0",
    CHEST_RANK_W_HEAT: "0",
    CHEST_RANK_W_MOMENTUM: "0",
    CHEST_RANK_W_IMPORTANCE: "0",
  };

  expect(readConfig({ ...TOKEN, ...none }).config.ranking.weights.relevance).toBe(0.93);
});

it("recognises variables of other programs, and those without effect yet", () => {
  const elsewhere = KNOWN_NAMES.filter(
    (name) => !Object.hasOwn(VARIABLES, name.replace(/_FILE$/, "")) && !Object.hasOwn(VARIABLES, name),
  );
  const own = Object.keys(VARIABLES).filter((name) => name.startsWith("CHEST_"));
  expect(KNOWN_NAMES).toEqual(expect.arrayContaining(own));
  const others = Object.fromEntries([...WITHOUT_EFFECT, ...elsewhere].map((name) => [name, "1"]));

  expect(readConfig({ ...TOKEN, ...others }).warnings).toEqual([`without effect yet: ${WITHOUT_EFFECT.join(", ")}`]);
  expect(readConfig({ ...TOKEN, CHEST_PROT: "1" }).warnings).toEqual(["unknown, so ignored: CHEST_PROT"]);
});

it("is frozen", () => {
  expect(Object.isFrozen(readConfig(TOKEN).config.ranking.weights)).toBe(true);
});

it("matches docs/configuration.md", async () => {
  const rows = Object.entries<z.ZodType>(VARIABLES).map(([name, schema]) => {
    const { defaultValue } = schema.def as { defaultValue?: unknown };
    const shown = Array.isArray(defaultValue) ? defaultValue.join(",") : String(defaultValue ?? "");
    const names = metaOf(schema).isSecret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
    return [names, shown === "" ? "" : `\`${shown}\``, metaOf(schema).takes ?? "", schema.description ?? ""];
  });
  const page = [
    "# Configuration of the backend",
    "",
    "Generated from the schema. An empty variable counts as not set. A number out of range is clamped, with a warning;",
    "anything else that does not fit is an error, and the backend names all of them and does not start.",
    "",
    ...markdownTable(["Variable", "Default", "Takes", ""], rows),
    "",
    `Known, and without effect yet: ${WITHOUT_EFFECT.map((name) => `\`${name}\``).join(", ")}.`,
    "",
  ];

  await expect(page.join("\n")).toMatchFileSnapshot("../docs/configuration.md");
});

it("refuses a model host that nothing can be downloaded from", () => {
  expect(() => readConfig({ ...TOKEN, HF_ENDPOINT: "ftp://models.example" })).toThrow(
    /HF_ENDPOINT: .*not an http or https/,
  );
});
