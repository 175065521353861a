import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { localCaller, openAccessAdmin, openSignInAdmin } from "@chest/core/access";
import { systemClock } from "@chest/core/ports";
import { openSqliteEngine } from "@chest/store-sqlite";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { openOauthClient } from "../support/clients/oauth-client.ts";
import { freePort } from "../support/free-port.ts";
import { ensurePageIsBuilt, hasChromium, openBrowser, openPage } from "../support/page/browser.ts";
import { seriousFindings } from "../support/page/serious-findings.ts";

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Opens a page of another origin. */
async function serveHtml(html: string) {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => new Promise((closed) => server.close(closed)) };
}

describe.skipIf(!hasChromium)("a client that gets access through OAuth, in a browser", () => {
  let backend: Backend;
  let browser: Browser;
  let engine: Awaited<ReturnType<typeof openSqliteEngine>>;
  beforeAll(async () => {
    ensurePageIsBuilt();
    const port = await freePort();
    backend = await startBackend({
      port,
      env: { CHEST_PUBLIC_URL: `http://127.0.0.1:${port}`, CHEST_SYNC_EMBED: "0" },
    });
    browser = await openBrowser();
    engine = await openSqliteEngine({ path: join(backend.dataDir, "chest.db") });
  });
  afterAll(async () => {
    await browser.close();
    await engine.close();
    await backend.stop();
  });

  const resource = () => new URL(`${backend.url}/mcp/oauth`);
  const newClient = () => new Client({ name: "test", version: "1" });
  const tokenOf = async (member: string) =>
    (await openAccessAdmin(engine.access, localCaller(undefined), systemClock).createToken({ member })).token;

  it("finds the server, registers, is granted access, calls, refreshes, and loses access", async () => {
    const oauth = await openOauthClient();
    const first = new StreamableHTTPClientTransport(resource(), { authProvider: oauth.provider });
    await expect(newClient().connect(first)).rejects.toBeInstanceOf(UnauthorizedError);

    const { page, troubles } = await openPage(browser);
    await page.goto(String(oauth.kept.sentTo));
    await page.getByLabel("Token").fill(await tokenOf("alice"));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "A laptop's client asks for access to Chest" }).waitFor();
    expect(await page.getByLabel("Write, change and forget memories").isChecked()).toBe(false);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Write, change and forget memories").check();
    await page.getByRole("button", { name: "Allow" }).click();
    const back = await oauth.called;
    expect([back.searchParams.get("state"), back.searchParams.get("iss")]).toEqual(["a-state", `${backend.url}/oauth`]);
    await first.finishAuth(back.searchParams.get("code") ?? "");

    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(resource(), { authProvider: oauth.provider }));
    const fact = {
      entity_name: "acme",
      entity_kind: "project",
      layer: "learning",
      content: "deploys go out on Monday",
    };
    await client.callTool({ name: "chest_remember", arguments: fact });
    const found = await client.callTool({ name: "chest_recall", arguments: { query: "when do deploys go out" } });
    expect(JSON.stringify(found)).toContain("on Monday");

    const before = oauth.kept.tokens as Tokens;
    oauth.kept.tokens = { ...before, access_token: "over" };
    await client.callTool({ name: "chest_recall", arguments: { query: "deploys" } });
    const after = oauth.kept.tokens as Tokens;
    expect(after.refresh_token).not.toBe(before.refresh_token);

    const { client_id } = oauth.kept.client as { client_id: string };
    const fields = new URLSearchParams({ client_id, token: after.refresh_token });
    expect((await fetch(`${backend.url}/oauth/revoke`, { method: "POST", body: fields })).status).toBe(200);
    const call = client.callTool({ name: "chest_recall", arguments: { query: "deploys" } });
    await expect(call).rejects.toThrow(/401|Unauthorized/);
    expect(troubles.filter((line) => !line.includes("401"))).toEqual([]);
    await page.context().close();
    await client.close();
    oauth.close();
  });

  it("gets no access from within a frame, or in a browser without cookies, and both say so", async () => {
    const oauth = await openOauthClient();
    const transport = new StreamableHTTPClientTransport(resource(), { authProvider: oauth.provider });
    await expect(newClient().connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
    const { page } = await openPage(browser);
    await page.goto(String(oauth.kept.sentTo));
    await page.getByLabel("Token").waitFor();
    const evil = await serveHtml(`<h1>Win a prize</h1><iframe src="${page.url()}"></iframe>`);
    const { page: baited } = await openPage(browser);
    await baited.goto(evil.url);
    await expect.poll(() => baited.frames()[1]?.url()).toBe("chrome-error://chromewebdata/");
    expect(await baited.frameLocator("iframe").getByRole("button").count()).toBe(0);
    await baited.context().close();
    await evil.close();

    const links = openSignInAdmin(engine.access, localCaller(undefined), systemClock);
    await tokenOf("bob");
    const { link } = await links.createLink({ member: "bob" });
    const { page: other } = await openPage(browser);
    await other.goto(`${backend.url}/#/sign-in?link=${link}`);
    await other.getByRole("navigation").waitFor();
    await other.goto(page.url());
    await other.getByText("started in another browser").waitFor();
    await other.context().clearCookies();
    await other.goto("about:blank");
    await other.goto(page.url());
    await other.getByLabel("Token").fill(await tokenOf("bob"));
    await other.route("**/api/sign-in", async (route) => {
      const answer = await route.fetch();
      const { "set-cookie": _, ...headers } = answer.headers();
      await other.context().clearCookies();
      await route.fulfill({ response: answer, headers });
    });
    await other.getByRole("button", { name: "Sign in" }).click();
    await other.getByText("blocks this page's cookies").first().waitFor();
    await page.context().close();
    await other.context().close();
    oauth.close();
  });
});
