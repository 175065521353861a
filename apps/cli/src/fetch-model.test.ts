import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  answer,
  FIXTURE_ENV,
  FIXTURE_RERANKER_ENV,
  fixtureModels,
  type Hub,
  redirectTo,
  startHub,
} from "@chest/models/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openProgress } from "./terminal/download-progress.ts";
import { captured } from "./testing/captured.ts";

// The tests start threads and processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model_quantized.onnx"];

let dir: string;
let hub: Hub;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-cli-"));
  hub = await startHub(await fixtureModels());
});
afterEach(async () => {
  await hub.stop();
  await rm(dir, { recursive: true });
});

const environment = () => ({
  CHEST_DATA_DIR: dir,
  HOME: dir,
  PATH: process.env.PATH ?? "",
  HF_ENDPOINT: hub.url,
  ...FIXTURE_ENV,
});
const run = (words: string, env: Record<string, string> = {}) =>
  captured(`fetch-model ${words}`, { ...environment(), ...env });

async function runProcess(...words: string[]) {
  const child = spawn(process.execPath, [MAIN, "fetch-model", ...words], { env: environment() });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (printed.stdout += chunk));
  child.stderr.on("data", (chunk: Buffer) => (printed.stderr += chunk));
  const [code] = (await once(child, "close")) as [number];
  return { code, ...printed };
}

it("downloads the configured model, and shows it on stderr, line by line", async () => {
  const { code, stdout, stderr } = await runProcess();
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  const told = stderr.split("\n").filter((line) => line.includes(": downloaded, "));
  expect(told.map((line) => line.split(":")[0])).toEqual(FILES.map((file) => `fixture/words/${file}`));
  expect(stderr).not.toContain("\r");
  expect(await readdir(join(dir, "models/fixture/words"))).toContain("chest.json");

  expect((await run("")).stderr).toContain("fixture/words/config.json: cached");
});

it("prints one document with `--json`, even for two models", async () => {
  const { code, stdout, stderr } = await run("--json --reranker", FIXTURE_RERANKER_ENV);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    models: ["fixture/words", "fixture/cross-encoder"],
    exit_code: 0,
    results: [...FILES, ...FILES].map((filename) => ({ filename, status: "downloaded", bytes: expect.any(Number) })),
  });
  expect(report.total_bytes).toBeGreaterThan(500_000);
});

it("downloads the reranker too where it is switched on", async () => {
  const { stdout } = await run("--json", { ...FIXTURE_RERANKER_ENV, CHEST_RERANK_ENABLED: "1" });
  expect(JSON.parse(stdout).models).toEqual(["fixture/words", "fixture/cross-encoder"]);
});

describe("a failed download", () => {
  it("is reported for an unknown model without a description", async () => {
    const { code, stderr } = await run("--model acme/secret");
    expect(code).toBe(2);
    expect(stderr).toContain("`acme/secret` is not one of Xenova/bge-m3, ");
    expect(hub.requests).toEqual([]);
  });

  it("is reported for a model that the hub does not have", async () => {
    const { code, stderr } = await run("--model Xenova/all-MiniLM-L6-v2");
    expect(code).toBe(2);
    expect(stderr).toContain("has no `Xenova/all-MiniLM-L6-v2/resolve/751bff37");
    expect(stderr).toContain("hint: check the model's id and revision");
  });

  it("is reported in the document, and nowhere else, with `--json`", async () => {
    hub.next("tokenizer.json", answer(403));
    const { code, stdout } = await run("--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 2,
      results: [{ status: "downloaded" }, { status: "failed", error: { code: "FORBIDDEN" } }],
    });
  });

  it("is reported for a hub that does not answer", async () => {
    const { code, stderr } = await run("--endpoint http://127.0.0.1:9", { FORCE_COLOR: "0" });
    expect(code).toBe(2);
    expect(stderr).toMatch(/does not come from 127\.0\.0\.1:9: nothing listens there\nhint: .*--endpoint URL/);
  });

  it("is reported for a public hub that a proxy resolves to this machine", async () => {
    const asked = () => hub.requests.map(({ path }) => path);
    const env = { HTTP_PROXY: hub.url, HF_ENDPOINT: "http://198.51.100.7" };
    for (const host of ["localhost", "127.0.0.1"]) {
      hub.next("config.json", redirectTo(hub.url.replace("127.0.0.1", host)));
      const { code, stderr } = await run("", env);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("198.51.100.7 redirects to an address that is not public\nhint: name the host"),
      });
    }
    expect(new Set(asked())).toEqual(new Set(["/fixture/words/resolve/main/config.json"]));
  });

  it("is reported for an invalid endpoint", async () => {
    const { code, stderr } = await run("--endpoint hub");
    expect(code).toBe(2);
    expect(stderr).toContain("HF_ENDPOINT: `hub` is not an http or https URL");
  });
});

it("downloads once when two processes start together", async () => {
  const both = await Promise.all([runProcess("--json"), runProcess("--json")]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const statuses = both.flatMap(({ stdout }) =>
    JSON.parse(stdout).results.map(({ status }: { status: string }) => status),
  );
  expect(statuses.sort()).toEqual([...Array(4).fill("cached"), ...Array(4).fill("downloaded")]);
});

describe("on a terminal", () => {
  it("draws a bar, and leaves a line for each file", () => {
    let shown = "";
    const progress = openProgress({ isTTY: true, columns: 200, write: (text) => (shown += text) });
    progress.tell("acme/words", { kind: "progress", file: "a", received: 50e6, total: 100e6 });
    progress.tell("acme/words", { kind: "done", result: { file: "a", status: "downloaded", bytes: 100e6, ms: 2000 } });
    progress.end();
    expect(shown).toBe(
      "\r\u001b[K[############------------]  50 % 50 MB of 100 MB  a\r\u001b[Kacme/words/a: downloaded, 100 MB in 2.0 s\n",
    );
  });

  it("shows no percentage for a file without a length", () => {
    let shown = "";
    openProgress({ isTTY: true, write: (text) => (shown += text) }).tell("acme/words", {
      kind: "progress",
      file: "a",
      received: 5e6,
      total: undefined,
    });
    expect(shown).toContain("]    ? % 5.0 MB  a");
  });
});
