import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHookLog } from "@chest/runtime/hook-log";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addToLog } from "./hook-log.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-hook-log-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const run = { at: new Date("2026-11-20T10:00:00Z"), event: "stop", session: "a", ms: 41.3, outcome: "sent" };
const file = () => join(dir, "hook.log");

it("has a line for each event, for its owner alone", () => {
  addToLog(dir, run);
  addToLog(dir, { ...run, outcome: "failed", code: "UNAVAILABLE" });

  expect(readHookLog(readFileSync(file(), "utf8"))).toMatchObject([
    { ms: 41, outcome: "sent" },
    { code: "UNAVAILABLE" },
  ]);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it("makes way for a new one at a mebibyte, and keeps the last", () => {
  for (const text of ["older\n", "old\n"]) {
    writeFileSync(file(), text.repeat(1_048_576 / text.length + 1));
    addToLog(dir, run);
  }
  expect(readdirSync(dir).sort()).toEqual(["hook.log", "hook.log.1"]);
  expect(readFileSync(join(dir, "hook.log.1"), "utf8").startsWith("old\nold\n")).toBe(true);
  expect(readFileSync(file(), "utf8").trimEnd().split("\n")).toHaveLength(1);
});

it("loses no line while another event moves it, and clears up after one that died at it", () => {
  writeFileSync(file(), "x".repeat(1_048_576));
  writeFileSync(join(dir, "hook.log.lock"), "");
  addToLog(dir, run);
  expect(readFileSync(file(), "utf8")).toContain("outcome=sent");

  utimesSync(join(dir, "hook.log.lock"), 1, 1);
  addToLog(dir, run);
  expect(readFileSync(join(dir, "hook.log.1"), "utf8")).toContain("outcome=sent");
  expect(readdirSync(dir).sort()).toEqual(["hook.log", "hook.log.1"]);
});
