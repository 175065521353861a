import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { wordForCmd } from "./child.mjs";

const CHILD = `
  let heard = 0;
  process.on("SIGTERM", () => { heard++; setTimeout(() => { console.log("heard", heard); process.exit(Number(process.argv[1])); }, 200); });
  console.log("ready", process.pid);
  setInterval(() => {}, 1000);
`;
const LAUNCHER = `
  const { exitCodeOf, forwardSignals, runChild } = await import(${JSON.stringify(new URL("./child.mjs", import.meta.url).href)});
  forwardSignals();
  process.exitCode = exitCodeOf(await runChild(process.execPath, ["-e", ${JSON.stringify(CHILD)}, process.argv[1]], {}));
`;

describe.skipIf(process.platform === "win32")("a program run by the launcher", () => {
  it.each([0, 3])("hears a repeated signal once, and its code %i is the launcher's", async (code) => {
    const launcher = launch(code);
    await launcher.printed("ready");
    launcher.process.kill("SIGTERM");
    launcher.process.kill("SIGTERM");
    const [exitCode] = await once(launcher.process, "close");
    expect(exitCode).toBe(code);
    expect(launcher.output()).toContain("heard 1");
  });

  it("gives the code of a shell when a signal ended it", async () => {
    const launcher = launch(0);
    const [, pid] = await launcher.printed("ready");
    process.kill(Number(pid), "SIGKILL");
    const [exitCode] = await once(launcher.process, "close");
    expect(exitCode).toBe(128 + 9);
  });

  it("ends when npm and its shell are gone", async () => {
    // Two commands, so that the shell stays as the parent instead of becoming the launcher.
    const shell = spawn(
      "sh",
      ["-c", '"$0" "$@"; exit 7', process.execPath, "--input-type=module", "-e", LAUNCHER, "0"],
      {
        env: { ...process.env, npm_lifecycle_event: "start" },
      },
    );
    const output = collect(shell);
    await output.printed("ready");
    shell.kill("SIGTERM");
    await output.printed("heard 1");
    await once(shell, "close");
  });
});

function launch(code) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", LAUNCHER, String(code)]);
  return { process: child, ...collect(child) };
}

function collect(child) {
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const printed = async (word) => {
    while (!text.includes(word)) await once(child.stdout, "data");
    return text.split(/\s+/).slice(text.split(/\s+/).indexOf(word.split(" ")[0]));
  };
  return { output: () => text, printed };
}

it.each([
  ["install", "install"],
  ["C:\\Users\\dev\\chest\\.launcher\\pnpm", "C:\\Users\\dev\\chest\\.launcher\\pnpm"],
  ["C:\\Users\\My Name\\pnpm", '"C:\\Users\\My Name\\pnpm"'],
  ["C:\\R&D (old)\\pnpm", '"C:\\R&D (old)\\pnpm"'],
])("%s is one word for cmd", (word, expected) => {
  expect(wordForCmd(word)).toBe(expected);
});
