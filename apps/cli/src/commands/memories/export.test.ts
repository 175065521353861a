import { execFileSync, spawn } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-export-"));
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  await engine.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const place = (name: string) => join(dir, name);
const exportTo = (file: string) => captured(`export --out ${file}`, { CHEST_DATA_DIR: dir });
const isWhole = (archive: string) => archive.trimEnd().split("\n").length >= 2 && archive.startsWith("{");

describe.skipIf(process.platform === "win32")("chest-index export --out", () => {
  it("writes into a pipe, which stays one", async () => {
    execFileSync("mkfifo", [place("pipe")]);
    const reader = spawn("cat", [place("pipe")]);
    const [read, exported] = await Promise.all([text(reader.stdout), exportTo(place("pipe"))]);
    expect(exported).toMatchObject({ code: 0 });
    expect(isWhole(read)).toBe(true);
    expect(lstatSync(place("pipe")).isFIFO()).toBe(true);
  });

  it("replaces the target of a link, and the link stays", async () => {
    writeFileSync(place("target"), "old");
    symlinkSync("target", place("link"));
    symlinkSync("made-by-it", place("dangling"));
    for (const name of ["link", "dangling"]) {
      expect(await exportTo(place(name))).toMatchObject({ code: 0 });
      expect(lstatSync(place(name)).isSymbolicLink()).toBe(true);
    }
    for (const name of ["target", "made-by-it"]) expect(isWhole(readFileSync(place(name), "utf8"))).toBe(true);
  });

  it("leaves a folder alone, and no partial file beside it", async () => {
    expect(await exportTo(dir)).toMatchObject({ code: 2, stderr: expect.stringContaining("EISDIR") });
    expect(readdirSync(dir).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("treats `/dev/stdout` as stdout, and prints nothing else there", async () => {
    const { code, stdout } = await exportTo("/dev/stdout");
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .every((line) => line.startsWith("{")),
    ).toBe(true);
  });
});
