import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { storeFileOf } from "./database-url.ts";

it.each([
  ["file:/data/chest.db", "/data/chest.db"],
  ["file:///data/my%20chest.db", "/data/my chest.db"],
  ["file:./chest.db", resolve("chest.db")],
  ["file:data/chest.db", join(process.cwd(), "data/chest.db")],
  ["file:/data/chest.db?connection_limit=1", "/data/chest.db"],
])("finds the file of %s", (url, file) => {
  expect(storeFileOf(url)).toBe(file);
});

it.each([
  "postgresql://u:p@db/x",
  "mysql://db/x",
  "file:",
  "file::memory:",
  "file://elsewhere/chest.db",
  "/data/chest.db",
])("finds none in %s", (url) => {
  expect(storeFileOf(url)).toBeUndefined();
});
