import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "@chest/runtime";
import { onTestFinished } from "vitest";

/** Makes a folder that is deleted after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chest-server-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Finds a free port. */
export async function aPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => probe.once("listening", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const BUNDLES = { main: "chest-server.js", quickstart: "quickstart.js" };

/**
 * Starts the bundle of a program of this app with this environment, and with the cache of compiled code from earlier starts.
 * @param openFiles limits the files that it may open, where the shell supports it
 */
export function start(
  program: keyof typeof BUNDLES,
  env: Env,
  args: readonly string[] = [],
  { openFiles }: { readonly openFiles?: number } = {},
) {
  const file = fileURLToPath(new URL(`../../dist/${BUNDLES[program]}`, import.meta.url));
  const command = [process.execPath, file, ...args];
  const [shell, ...rest] =
    openFiles === undefined ? command : ["/bin/sh", "-c", `ulimit -n ${openFiles} && exec "$@"`, "sh", ...command];
  // biome-ignore lint/style/noProcessEnv: the compile cache belongs to the whole test run.
  const { NODE_COMPILE_CACHE = "" } = process.env;
  const child = spawn(shell ?? "", rest, { env: { NODE_COMPILE_CACHE, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    output,
    ended,
    stop: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves once the output contains this text; rejects when the program ends first. */
    has: (text: string) =>
      new Promise<string>((resolve, reject) => {
        const look = () => output.stdout.includes(text) && resolve(output.stdout);
        child.stdout.on("data", look);
        look();
        void ended.then((code) => reject(new Error(`ended with ${code}: ${output.stderr}`)));
      }),
  };
}
