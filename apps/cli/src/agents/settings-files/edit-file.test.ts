import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editFile } from "./edit-file.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-edit-"));
  file = join(dir, "settings.json");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("makes the edit on what somebody else wrote meanwhile", async () => {
  writeFileSync(file, "one");
  let reads = 0;

  await editFile(
    file,
    (text) => {
      reads++;
      if (reads === 1) writeFileSync(file, "two");
      return `${text}!`;
    },
    { isDry: false },
  );

  expect(readFileSync(file, "utf8")).toBe("two!");
  expect(readdirSync(dir)).toEqual(["settings.json"]);
});

it("gives up on a file that never rests, and leaves no part of its own", async () => {
  let turn = 0;
  const restless = () => {
    turn++;
    writeFileSync(file, `${turn}`);
    return "ours";
  };

  await expect(editFile(file, restless, { isDry: false })).rejects.toThrow("keeps being changed by another program");
  expect(readFileSync(file, "utf8")).toBe(`${turn}`);
  expect(readdirSync(dir)).toEqual(["settings.json"]);
});

it("keeps what it writes to its owner, whatever the umask", async () => {
  const before = process.umask(0);
  try {
    await editFile(join(dir, "a/b.json"), () => "x", { isDry: false });
  } finally {
    process.umask(before);
  }
  expect(statSync(join(dir, "a")).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "a/b.json")).mode & 0o777).toBe(0o600);
});

it("leaves a file alone that its owner made read-only, and says so already when it only looks", async () => {
  writeFileSync(file, "mine", { mode: 0o444 });
  for (const isDry of [true, false]) {
    await expect(editFile(file, () => "ours", { isDry })).rejects.toMatchObject({
      message: expect.stringContaining("is read-only and was not changed"),
      hint: expect.stringContaining(`chmod u+w '${file}'`),
    });
  }
  expect(await editFile(file, (text) => text, { isDry: false })).toBe("unchanged");
  expect([readFileSync(file, "utf8"), readdirSync(dir)]).toEqual(["mine", ["settings.json"]]);
});

it("says which file cannot be written", async () => {
  writeFileSync(file, "a file where a folder should be");
  await expect(editFile(join(file, "b.json"), () => "x", { isDry: false })).rejects.toMatchObject({
    message: expect.stringMatching(/settings\.json\/b\.json` cannot be written \(E[A-Z]+\)/),
    hint: expect.stringContaining("right to write"),
  });
});

it("says so when a link leads to itself", async () => {
  symlinkSync("settings.json", file);
  await expect(editFile(file, () => "x", { isDry: false })).rejects.toThrow("leads to itself");
});
