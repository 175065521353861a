import { join } from "node:path";
import { ConfigError } from "@chest/runtime";
import { expect, it } from "vitest";
import { captured } from "../testing/captured.ts";
import { readConfig } from "./config.ts";

const DIR = { CHEST_DATA_DIR: "/nowhere/chest" };

it("prefers DATABASE_URL to all else, and ignores it when a backend is configured", () => {
  const env = { ...DIR, CHEST_DB_PATH: "/x/a.db" };
  expect(readConfig(DIR).dbPath).toBe(join(DIR.CHEST_DATA_DIR, "chest.db"));
  expect(readConfig(env).dbPath).toBe("/x/a.db");
  expect(readConfig({ ...env, DATABASE_URL: "file:/x/b.db" }).dbPath).toBe("/x/b.db");

  const theirs = { ...env, DATABASE_URL: "postgresql://me:secret@db/x" };
  expect(() => readConfig(theirs)).toThrow(ConfigError);
  expect(() => readConfig(theirs)).toThrow(/DATABASE_URL: names no file[^@]*$/);
  expect(readConfig(theirs, { "remote-url": "http://127.0.0.1:1" }).remote?.url).toBe("http://127.0.0.1:1");
});

it("prints on stderr which settings no Chest program knows, and goes on", async () => {
  const { code, stderr } = await captured("backup list", {
    CHEST_DATA_DIR: "/nowhere/chest",
    CHEST_NOSUCH: "1",
    CHEST_SWEEP_LIMIT: "9",
  });
  expect([code, stderr]).toEqual([1, "chest-index: unknown, so ignored: CHEST_NOSUCH\n"]);
});
