import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startConformanceServer } from "../support/clients/conformance-server.ts";
import { cleanEnv, NODE_24, startProgram } from "../support/process.ts";
import { report } from "../support/report.ts";

const require = createRequire(import.meta.url);
/** Scenario that checks nothing on a backend without sessions. */
const ABSENT = /^✓ server-session-lifecycle: 0 passed, 0 failed/;
const SUITE = require.resolve("@modelcontextprotocol/conformance/dist/index.js");

describe("the MCP conformance suite against the real transport", () => {
  let server: Awaited<ReturnType<typeof startConformanceServer>>;
  let results: string;

  beforeAll(async () => {
    server = await startConformanceServer();
    results = await mkdtemp(join(tmpdir(), "chest-conformance-"));
  });
  afterAll(async () => {
    await server.close();
    await rm(results, { recursive: true, force: true });
  });

  const conformance = async (...args: string[]) => {
    const suite = startProgram(NODE_24, [SUITE, "server", "--url", server.url, "-o", results, ...args], cleanEnv({}));
    await once(suite.process, "close");
    return { code: suite.process.exitCode, output: suite.output() };
  };

  it("passes every scenario", async () => {
    const { code, output } = await conformance();
    const verdicts = output.match(/^[✓✗] [\w-]+: \d+ passed, \d+ failed/gm) ?? [];
    const passed = verdicts.filter((verdict) => /: [1-9]\d* passed, 0 failed/.test(verdict) || ABSENT.test(verdict));
    report("MCP conformance", { scenarios: verdicts.length, passed: passed.length });
    expect(code, output.slice(-4000)).toBe(0);
    expect(verdicts.length).toBeGreaterThanOrEqual(30);
    expect(passed).toEqual(verdicts);
  }, 120_000);

  it("passes every scenario of 2026-07-28 that applies to a product", async () => {
    const known = join(import.meta.dirname, "conformance-fixtures.yml");
    const { code, output } = await conformance("--requirements", "2026-07-28", "--expected-failures", known);
    const passed = output.match(/^✓ [\w-]+: \d+ passed, 0 failed/gm) ?? [];
    report("MCP conformance 2026-07-28", { passed: passed.length });
    expect(code, output.slice(-4000)).toBe(0);
    expect(passed.length).toBeGreaterThanOrEqual(12);
  }, 120_000);

  it("refuses a foreign Origin and lets a configured one in", async () => {
    const { code, output } = await conformance("--scenario", "dns-rebinding-protection");
    expect(code, output.slice(-4000)).toBe(0);
  });
});
