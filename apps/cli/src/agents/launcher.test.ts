import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { launcherText } from "./launcher.ts";

let home: string;

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "chest-launcher-")), "it's a home");
  mkdirSync(home);
});
afterEach(() => rmSync(dirname(home), { recursive: true, force: true }));

// Releases from 90 on are not on this machine, whose own folders are looked through as well.

/** Puts a program there that answers as this version of Node does, and otherwise says what it was started with. */
function aNode(place: string, version: string): string {
  const path = join(home, place);
  mkdirSync(dirname(path), { recursive: true });
  const text = `#!/bin/sh\n[ "$1" = --version ] && echo v${version} && exit\necho "${version}:" "$@"\n`;
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

const launcher = () => join(home, ".chest-memory/bin/chest-node");

function install(node: string, least = "24.0"): void {
  mkdirSync(dirname(launcher()), { recursive: true });
  writeFileSync(launcher(), launcherText({ node, least, path: launcher() }), { mode: 0o700 });
}

function start(env: NodeJS.ProcessEnv = {}, words: readonly string[] = ["a file.js", "stop"]) {
  const { status, stdout, stderr } = spawnSync(launcher(), words, { env: { HOME: home, PATH: "", ...env } });
  return { status, stdout: stdout.toString().trim(), stderr: stderr.toString().trim() };
}

const started = (version: string) => ({ status: 0, stdout: `${version}: a file.js stop`, stderr: "" });

describe("with an empty path", () => {
  it("starts the Node that setup found, without asking its version", () => {
    install(aNode("nodes/node", "1.0.0"));
    expect(start()).toEqual(started("1.0.0"));
  });

  it.each([
    [".nvm/versions/node/v$/bin/node"],
    [".local/share/fnm/node-versions/v$/installation/bin/node"],
    [".volta/tools/image/node/$/bin/node"],
    [".asdf/installs/nodejs/$/bin/node"],
    [".local/share/mise/installs/node/$/bin/node"],
    ["Cellar/node/$/bin/node"],
    ["my nodes/$_1/bin/node"],
  ])("finds it again after an update in %s", (place) => {
    const at = (version: string) => place.replace("$", version);
    const gone = aNode(at("90.1.0"), "90.1.0");
    install(gone, "90.0");
    rmSync(dirname(dirname(gone)), { recursive: true });
    aNode(at("18.3.0"), "18.3.0");
    aNode(at("91.2.0"), "91.2.0");

    expect(start()).toEqual(started("91.2.0"));
    expect(readFileSync(`${launcher()}.found`, "utf8").trim()).toBe(join(home, at("91.2.0")));
    expect(start()).toEqual(started("91.2.0"));
  });

  it("finds the Node of another manager, by its own folders and by variables that name them", () => {
    install(join(home, "gone/node"), "90.0");
    aNode(".volta/tools/image/node/90.5.0/bin/node", "90.5.0");
    expect(start()).toEqual(started("90.5.0"));

    rmSync(join(home, ".volta"), { recursive: true });
    aNode("elsewhere/versions/node/v90.6.1/bin/node", "90.6.1");
    expect(start({ NVM_DIR: join(home, "elsewhere") })).toEqual(started("90.6.1"));
  });

  it("names an old Node in words, and ends with a code that blocks no agent", () => {
    install(join(home, "gone/node"), "90.0");
    aNode(".nvm/versions/node/v18.20.4/bin/node", "18.20.4");

    const { status, stdout, stderr } = start();

    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("needs Node 90 or newer");
    expect(stderr).toMatch(/\nhint: install the current Node/);
    expect(stderr).toMatch(/found none: \/.* is \d+\.\d+\.\d+$/m);
    expect(existsSync(`${launcher()}.found`)).toBe(false);
  });
});

describe("with a path", () => {
  it("takes a Node from it that is new enough, and no relative place", () => {
    install(join(home, "gone/node"), "90.0");
    aNode("old/node", "90.-1");
    aNode("shims/node", "89.9.9");
    aNode("good/node", "90.0.1");

    const PATH = [".", "old", "shims", "good"].map((name) => (name === "." ? name : join(home, name))).join(":");
    expect(start({ PATH })).toEqual(started("90.0.1"));
  });

  it("compares the second number where the first is equal", () => {
    install(join(home, "gone/node"), "90.19");
    aNode("first/node", "90.9.0");
    aNode("second/node", "90.20.0");
    expect(start({ PATH: `${home}/first:${home}/second` })).toEqual(started("90.20.0"));
  });
});

it("starts a package runner beside that Node, which finds the Node and a shell", () => {
  install(aNode("nodes/bin/node", "24.1.0"));
  const npx = join(home, "nodes/bin/npx");
  writeFileSync(npx, "#!/usr/bin/env node\n", { mode: 0o755 });
  expect(start({}, ["npx", "--yes", "chest-memory"])).toEqual({
    status: 0,
    stdout: `24.1.0: ${npx} --yes chest-memory`,
    stderr: "",
  });
});
