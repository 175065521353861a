import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteRunning } from "@chest/runtime/running-backend";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findServer } from "./find.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-find-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const CONTAINER = { name: "no-such-container", isAsked: false };

it("is the backend that `setup` recorded, with its token, unless another is named", async () => {
  const token = join(dir, "member.token");
  writeFileSync(token, "t".repeat(40));
  const url = "https://chest.example/team";
  writeFileSync(join(dir, "client.json"), JSON.stringify({ mode: "remote", url, token_file: token }));
  const env = { CHEST_DATA_DIR: dir, PATH: dir };
  const found = await findServer(env, {}, CONTAINER);
  expect(found).toMatchObject({
    foundBy: "the profile that `setup` wrote",
    isHere: false,
    reach: { url, token: "t".repeat(40) },
  });
  const named = { ...env, CHEST_REMOTE_URL: "http://127.0.0.1:9" };
  expect(await findServer(named, {}, CONTAINER)).toMatchObject({ foundBy: "CHEST_REMOTE_URL" });
});

it("is the backend that runs on this data folder, at its own port", async () => {
  noteRunning(dir, {
    url: "http://127.0.0.1:9002",
    pid: process.pid,
    db_path: join(dir, "other.db"),
    backup_dir: undefined,
  });
  expect(await findServer({ CHEST_DATA_DIR: dir, PATH: dir }, {}, CONTAINER)).toMatchObject({
    isHere: true,
    config: { dbPath: join(dir, "other.db") },
    reach: { url: "http://127.0.0.1:9002" },
  });
});

it("is this machine's default port where no profile names another", async () => {
  expect(await findServer({ CHEST_DATA_DIR: dir, PATH: dir, CHEST_PORT: "9001" }, {}, CONTAINER)).toMatchObject({
    foundBy: "CHEST_PORT",
    isHere: true,
    reach: { url: "http://127.0.0.1:9001" },
  });
});
