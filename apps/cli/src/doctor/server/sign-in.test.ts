import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HostFacts } from "@chest/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { signInChecks } from "./sign-in.ts";
import type { InspectedServer } from "./target.ts";

let server: Server;
let base: string;
let answers: Record<string, { readonly status?: number; readonly body?: object }>;
let now: Date;
beforeEach(async () => {
  server = createServer(({ url = "" }, response) => {
    const { status = 200, body = {} } = answers[url.split("?")[0] ?? ""] ?? { status: 404 };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  now = new Date();
  answers = {
    "/.well-known/oauth-protected-resource/chest/mcp/oauth": { body: { resource: `${base}/chest/mcp/oauth` } },
    "/.well-known/oauth-authorization-server/chest/oauth": { body: { issuer: `${base}/chest/oauth` } },
    "/realm/.well-known/openid-configuration": {
      body: { issuer: `${base}/realm`, authorization_endpoint: `${base}/realm/authorize` },
    },
    "/realm/authorize": { status: 302 },
  };
});
afterEach(() => server.close());

function look(id: "server.oauth" | "server.sso", signIn?: object) {
  const told = signIn ?? {
    public_url: `${base}/chest`,
    sso: { provider: "openid", issuer: `${base}/realm`, client_id: "chest" },
  };
  const host = async () => ({ from: "backend", facts: { sign_in: told } as unknown as HostFacts });
  const inspected = { host, reach: { ca: undefined }, now: () => now } as unknown as InspectedServer;
  const check = signInChecks.find((each) => each.id === id) ?? expect.fail();
  return check.run(inspected, new AbortController().signal);
}
const OFF = { public_url: null, sso: null };

it("finds the metadata where clients look, and names a path that a proxy blocks", async () => {
  expect(await look("server.oauth")).toMatchObject({ status: "ok" });
  expect(await look("server.oauth", OFF)).toMatchObject({ status: "skip" });

  answers["/.well-known/oauth-authorization-server/chest/oauth"] = {
    body: { issuer: "https://another.example/oauth" },
  };
  expect(await look("server.oauth")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("another issuer"),
  });
  delete answers["/.well-known/oauth-protected-resource/chest/mcp/oauth"];
  expect(await look("server.oauth")).toMatchObject({
    status: "fail",
    message: expect.stringMatching(/oauth-protected-resource\/chest\/mcp\/oauth answers 404 .* does not forward/),
  });
  expect(await look("server.oauth", { public_url: "http://127.0.0.1:9/", sso: null })).toMatchObject({
    status: "fail",
    message: expect.stringContaining("cannot be reached"),
  });
});

it("reports an identity provider that is none, is late, or does not know this backend", async () => {
  expect(await look("server.sso")).toMatchObject({
    status: "ok",
    message: expect.stringContaining("/chest/api/sso/callback"),
  });
  expect(await look("server.sso", OFF)).toMatchObject({ status: "skip" });

  now = new Date(Date.now() + 301_000);
  expect(await look("server.sso")).toMatchObject({ status: "fail", message: expect.stringContaining("apart") });
  now = new Date();
  answers["/realm/authorize"] = { status: 400 };
  expect(await look("server.sso")).toMatchObject({
    status: "fail",
    message: expect.stringContaining(`register the callback ${base}/chest/api/sso/callback`),
  });
  answers["/realm/.well-known/openid-configuration"] = { body: { issuer: "https://another.example" } };
  expect(await look("server.sso")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("another issuer"),
  });
  delete answers["/realm/.well-known/openid-configuration"];
  expect(await look("server.sso")).toMatchObject({
    status: "fail",
    message: expect.stringContaining("not an OpenID issuer"),
  });
});
