import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, connectHttpClient, type Door, mcpDoor, restDoor, trust } from "../support/clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import { makeCertificates } from "../support/deployment/certificates.ts";
import { docker, hasDocker, Stack, tryDocker, unlessDocker, untilHealthy } from "../support/deployment/docker.ts";
import { installPublished, packPublished } from "../support/deployment/published.ts";
import { freePort } from "../support/free-port.ts";
import { inParallel } from "../support/in-parallel.ts";
import { report } from "../support/report.ts";

const PROJECT = `chest-e2e-tls-${process.pid}`;
const IMAGE = `chest-memory:${PROJECT}`;
const TOKEN = "cht_the-token-of-the-compose-tests-000";
const BUILD_MS = 600_000;
const MIB = 1_048_576;

describe.skipIf(!hasDocker)(`docker compose with nginx and TLS in front${unlessDocker}`, () => {
  let dir: string;
  let httpPort: number;
  let origin: string;
  let url: string;
  let stack: Stack;
  let stdio: StdioClient;
  let http: Client;
  let doors: Record<"stdio" | "mcp" | "rest", Door>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-tls-"));
    const { caFile, certFile, keyFile } = await makeCertificates(dir);
    // On a server, root owns the key, and nginx reads it as root.
    if (process.getuid?.() !== 0) await chmod(keyFile, 0o644);
    await trust(caFile);
    httpPort = await freePort();
    const httpsPort = await freePort();
    origin = `https://localhost:${httpsPort}`;
    url = `${origin}/chest-memory`;
    stack = new Stack({
      project: PROJECT,
      files: ["compose.yaml", "compose.tls.yaml"],
      env: {
        CHEST_IMAGE: IMAGE,
        CHEST_CONTAINER: PROJECT,
        CHEST_NGINX_CONTAINER: `${PROJECT}-nginx`,
        CHEST_API_TOKEN: TOKEN,
        CHEST_HTTP_PORT: String(httpPort),
        CHEST_HTTPS_PORT: String(httpsPort),
        CHEST_SERVER_NAME: "localhost",
        CHEST_TLS_CERT: certFile,
        CHEST_TLS_KEY: keyFile,
      },
    });
    const published = await installPublished(await packPublished(await mkdtemp(join(dir, "pack-"))), join(dir, "npm"));
    await stack.run("up", "--detach");
    await untilHealthy(stack, url);
    stdio = await connectStdioClient({
      program: { command: "npx", args: ["--no", "chest-memory"] },
      cwd: published.dir,
      env: {
        ...published.env(await mkdtemp(join(dir, "home-"))),
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: url,
        CHEST_API_TOKEN: TOKEN,
        CHEST_CA_FILE: caFile,
        CHEST_DATA_DIR: await mkdtemp(join(dir, "client-")),
        CHEST_PROJECT: "chest-e2e",
      },
    });
    http = await connectHttpClient({ url, token: TOKEN });
    doors = { stdio: mcpDoor(stdio.client), mcp: mcpDoor(http), rest: restDoor({ url, token: TOKEN }) };
  }, BUILD_MS);

  afterAll(async () => {
    await Promise.all([stdio?.stop(), http?.close()]);
    await stack?.remove();
    await tryDocker(["image", "rm", "--force", IMAGE]);
    await rm(dir, { recursive: true, force: true });
  }, 60_000);

  it("publishes nginx and nothing else", async () => {
    expect(await docker(["port", PROJECT])).toBe("");
    const answer = await fetch(`http://localhost:${httpPort}/chest-memory/healthz?x=1`, { redirect: "manual" });
    expect(answer.status).toBe(308);
    expect(answer.headers.get("location")).toBe(`${url}/healthz?x=1`);
    expect((await fetch(`${origin}/healthz`)).status).toBe(404);
  });

  it("adds HSTS to the backend's own headers", async () => {
    const { headers } = await fetch(`${url}/healthz`, { headers: { "x-request-id": "asked-with-this-id" } });
    expect(headers.get("strict-transport-security")).toContain("max-age=");
    expect(headers.get("content-security-policy")).toBeTruthy();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-request-id")).toBe("asked-with-this-id");
  });

  it("says in the backend's own form that a body is too large", async () => {
    const { error, status } = await doors.rest.call("chest_recall", { query: "x".repeat(MIB) });
    expect({ status, code: error?.code }).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it.each([
    { by: "stdio", other: "mcp" },
    { by: "mcp", other: "stdio" },
  ] as const)("finds over $other what was remembered over $by", async ({ by, other }) => {
    const content = `The ${by} client reached the ledger through nginx.`;
    await ask(doors[by], "chest_remember", {
      entity_name: `door-${by}`,
      entity_kind: "project",
      layer: "learning",
      content,
    });
    const { memories } = await ask(doors[other], "chest_recall", { entity_name: `door-${by}`, project: "*" });
    expect(memories).toEqual([expect.objectContaining({ content })]);
  });

  it("keeps each of 300 memories once when every container restarts under load", { timeout: 180_000 }, async () => {
    const facts = Array.from({ length: 300 }, (_, at) => aFact(at));
    let answered = 0;
    let queued = 0;
    const passed = (count: number) => vi.waitUntil(() => answered >= count, { timeout: 60_000, interval: 5 });

    const load = inParallel(facts, 8, async (fact, at) => {
      const result = await persistently(at % 2 === 0 ? doors.stdio : doors.mcp, fact);
      answered++;
      if (result.queued) queued++;
    });
    const faults = async () => {
      await passed(100);
      await stack.run("restart");
      await passed(200);
      await stack.run("kill");
      const killedAt = answered;
      await stack.run("start");
      return killedAt;
    };
    const [killedAt] = await Promise.all([faults(), load]);
    report("300 memories through nginx", { "answered when killed": killedAt, "kept in the outbox meanwhile": queued });
    expect(killedAt).toBeLessThan(300);

    await untilHealthy(stack, url);
    await vi.waitFor(
      async () => {
        // A call of the client also delivers the calls queued in its outbox.
        const stored = await inParallel(facts, 8, (fact) => storedAbout(doors.stdio, fact.entity_name));
        expect(stored).toEqual(facts.map(({ content }) => [content]));
      },
      { timeout: 30_000, interval: 500 },
    );
  });
});

const aFact = (at: number) => ({
  entity_name: `load-${String(at).padStart(3, "0")}`,
  entity_kind: "project",
  layer: "learning",
  content: `Host number ${at} rotates its deploy key on day ${at} of the quarter.`,
});

/** Repeats a request until it is answered, like an agent that is told to try again. */
async function persistently(door: Door, fact: object): Promise<Record<string, unknown>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask(door, "chest_remember", fact);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function storedAbout(door: Door, entity: string): Promise<string[]> {
  const { memories } = await ask(door, "chest_recall", { entity_name: entity, project: "*" });
  return (memories as { content: string }[]).map(({ content }) => content);
}
