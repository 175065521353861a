import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startBackend } from "../support/backend.ts";
import { makeCertificates } from "../support/deployment/certificates.ts";
import { freePort } from "../support/free-port.ts";

const CALLBACK = "http://127.0.0.1/callback";

describe("a client that is identified by its document", () => {
  let dir: string;
  let caFile: string;
  let server: Server;
  let host: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-cimd-"));
    const made = await makeCertificates(dir);
    caFile = made.caFile;
    server = createServer(
      { key: await readFile(made.keyFile), cert: await readFile(made.certFile) },
      (asked, reply) => {
        if (asked.url === "/moved.json") return reply.writeHead(302, { location: "/client.json" }).end();
        const client_id = `https://${host}/client.json`;
        const grants = { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" };
        reply.end(JSON.stringify({ client_id, client_name: "Documented", redirect_uris: [CALLBACK], ...grants }));
      },
    ).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    host = `localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function ask(path: string, env: NodeJS.ProcessEnv) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const known = { CHEST_PUBLIC_URL: url, CHEST_OAUTH_CLIENT_HOSTS: host, NODE_EXTRA_CA_CERTS: caFile };
    const backend = await startBackend({ port, env: { ...known, ...env } });
    const query = new URLSearchParams({
      ...{ client_id: `https://${host}${path}`, redirect_uri: "http://127.0.0.1:4321/callback", response_type: "code" },
      ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
    });
    // A stalled machine may not be ready for a moment.
    const answer = await vi.waitUntil(
      async () => {
        const told = await fetch(`${url}/oauth/authorize?${query}`, { redirect: "manual" });
        return told.status === 503 ? undefined : told;
      },
      { timeout: 15_000, interval: 300 },
    );
    await backend.stop();
    return answer.headers.get("location") ?? "";
  }

  it("may ask for access where its document may be read, on any callback port", async () => {
    expect(await ask("/client.json", { CHEST_ALLOW_PRIVATE_ADDRESSES: "1" })).toMatch(
      /#\/authorize\/(?!failed)[\w-]+$/,
    );
  });

  it.each([
    ["a private address", "/client.json", {}],
    ["an address that leads elsewhere", "/moved.json", { CHEST_ALLOW_PRIVATE_ADDRESSES: "1" }],
    ["a host that is not listed", "/client.json", { CHEST_OAUTH_CLIENT_HOSTS: "claude.ai" }],
  ])("is unknown with a document at %s", async (_, path, env) => {
    expect(await ask(path, env)).toContain("#/authorize/failed?why=invalid_client");
  });
});
