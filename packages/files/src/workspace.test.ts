import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_FILE_BYTES } from "@chest/core/ports";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "./workspace.ts";

let dir: string;
let project: string;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "chest-files-")));
  project = join(dir, "proj");
  await mkdir(join(project, "src"), { recursive: true });
  await mkdir(join(dir, "proj-secret"));
  await writeFile(join(project, "src/a.ts"), "inside\n");
  await writeFile(join(dir, "proj-secret/a.ts"), "secret\n");
});
afterEach(() => rm(dir, { recursive: true }));

const never = new AbortController().signal;
const read = async (path: string, roots: readonly string[] = [project], cwd = project) => {
  const { bytes, ...rest } = await openWorkspace(async () => roots, cwd).read(path, never);
  return { ...rest, text: Buffer.from(bytes).toString() };
};
const refusal = (path: string, roots?: readonly string[]) => read(path, roots).catch((error) => error);

describe("what lies inside", () => {
  it("is read by any of its names, under the one where it really lies", async () => {
    await symlink(project, join(dir, "link"));
    const path = join(project, "src/a.ts");
    for (const name of [path, "src/a.ts", "./src/../src/a.ts", join(dir, "link/src/a.ts")]) {
      expect(await read(name), name).toMatchObject({ path, text: "inside\n", mtimeNs: expect.stringMatching(/^\d+$/) });
    }
    expect(await read("src/a.ts", [join(dir, "link")])).toMatchObject({ path });
  });

  it("is not found where nothing is", async () => {
    for (const name of ["src/b.ts", "nowhere/deep/b.ts", "src/a.ts/b"]) {
      expect(await refusal(name), name).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  it("is no file when it is a folder or a pipe, and nobody waits for it", async () => {
    execFileSync("mkfifo", [join(project, "pipe")]);
    for (const name of ["src", "pipe"]) expect(await refusal(name), name).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("is too large above five mebibytes, whatever it says of itself", async () => {
    await writeFile(join(project, "large"), "x");
    await truncate(join(project, "large"), MAX_FILE_BYTES);
    expect((await read("large")).text).toHaveLength(MAX_FILE_BYTES);
    await truncate(join(project, "large"), MAX_FILE_BYTES + 1);
    expect(await refusal("large")).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      details: { limit_bytes: MAX_FILE_BYTES },
    });
  });
});

describe("what lies outside", () => {
  it.each([
    ["above", "../proj-secret/a.ts"],
    ["absolute", "/etc/passwd"],
    ["a device", "/dev/zero"],
    ["nowhere", "/nowhere/at/all"],
    ["beside, by the beginning of its name", "../proj-secret"],
  ])("is refused: %s", async (_, path) => {
    const error = await refusal(path);
    expect(error).toMatchObject({ code: "OUTSIDE_ROOTS", details: { path, roots: 1 } });
    expect(error.message).toMatch(/^Access denied/);
    expect(error.message).toContain(path);
  });

  it("is refused through links, and what exists there cannot be told", async () => {
    await symlink(join(dir, "proj-secret/a.ts"), join(project, "there"));
    await symlink(join(dir, "proj-secret/missing"), join(project, "missing"));
    await symlink(join(dir, "proj-secret"), join(project, "folder"));
    await symlink(join(project, "ring"), join(project, "ring"));
    for (const name of ["there", "missing", "folder/a.ts", "folder/missing", "ring"]) {
      const error = await refusal(name);
      expect(error, name).toMatchObject({ code: "OUTSIDE_ROOTS" });
      expect(error.message).toBe((await refusal("there")).message.replace("there", name));
    }
  });

  it("is everything where no folder is open, or none that is there", async () => {
    expect(await refusal("src/a.ts", [])).toMatchObject({ code: "OUTSIDE_ROOTS", details: { roots: 0 } });
    expect(await refusal("src/a.ts", [join(dir, "gone")])).toMatchObject({ code: "OUTSIDE_ROOTS" });
  });

  it("is not let in by a folder that becomes a link while its files are read", async () => {
    await symlink(join(dir, "proj-secret"), join(project, "link"));
    const swapping = spawn(process.execPath, ["--eval", SWAPPER, project], { stdio: "ignore" });
    try {
      const seen = new Set<string>();
      for (let round = 0; round < 5000; round++)
        seen.add((await read("src/a.ts").catch(({ code }) => ({ text: code }))).text);
      expect([...seen]).toEqual(expect.arrayContaining(["inside\n", "OUTSIDE_ROOTS"]));
      expect([...seen]).not.toContain("secret\n");
    } finally {
      swapping.kill();
      await once(swapping, "exit");
    }
  });
});

/** Another process swaps `src` for a link that leads outside and back, for as long as an attack by a loop has to wait. */
const SWAPPER = `
  const { renameSync } = require("node:fs");
  process.chdir(process.argv[1]);
  const pause = () => {
    const until = performance.now() + Math.random() * 0.03;
    while (performance.now() < until);
  };
  for (;;) {
    renameSync("src", "kept");
    renameSync("link", "src");
    pause();
    renameSync("src", "link");
    renameSync("kept", "src");
    pause();
  }`;
