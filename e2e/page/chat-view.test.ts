import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { openInChat } from "../support/clients/chat-host.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { ensurePageIsBuilt, hasChromium, openBrowser } from "../support/page/browser.ts";

const EVIL = `</script><script>document.title='caught'</script><img src=x onerror="document.title='caught'"> {{7*7}}`;
const CAPABILITIES = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const CONFLICTS = { name: "chest_inspect", arguments: { view: "contradictions" } };

describe.skipIf(!hasChromium)("the view inside a chat", () => {
  let backend: Backend;
  let browser: Browser;
  beforeAll(async () => {
    ensurePageIsBuilt();
    backend = await startBackend({ env: { CHEST_RATE_LIMIT: "0" } });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await backend.stop();
  });

  /** Protocol of the chat's client: with a handshake, or with everything stated in each request. */
  async function chat(mode: "legacy" | "auto" = "legacy") {
    const client = new Client(
      { name: "a-chat", version: "1" },
      { capabilities: CAPABILITIES, versionNegotiation: { mode } },
    );
    const requestInit = { headers: { authorization: `Bearer ${backend.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${backend.url}/mcp`), { requestInit }));
    return client;
  }
  const call = async (client: Client, name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })).structuredContent as Record<string, unknown>;
  const remember = (client: Client, entity: string, content: string) =>
    call(client, "chest_remember", { entity_name: entity, entity_kind: "project", layer: "learning", content });
  /** Stores two memories that contradict each other, about a new entity. */
  async function conflict(client: Client, entity: string) {
    await remember(client, entity, `The ${entity} listens on port 8080.`);
    await remember(client, entity, `The ${entity} listens on port 9443.`);
  }
  const openPairs = async (client: Client) => (await call(client, CONFLICTS.name, CONFLICTS.arguments)).total;

  it.each(["legacy", "auto"] as const)(
    "lists recalled memories, in which stored markup has no effect (%s)",
    async (mode) => {
      const client = await chat(mode);
      await remember(client, "kettle", `the kettle whistles ${EVIL}`);
      const asked = { name: "chest_recall", arguments: { query: "kettle whistles" } };
      const { page, frame, troubles, requests, document } = await openInChat(browser, client, asked);

      await frame.getByText("the kettle whistles").first().waitFor();
      expect(await frame.locator(".stored").first().textContent()).toContain(EVIL);
      expect(await frame.locator("img, .stored script, a").count()).toBe(0);
      expect([await page.title(), await frame.locator("title").textContent()]).toEqual(["a chat", "Chest"]);
      expect([troubles, requests]).toEqual([[], []]);
      expect(document._meta).toEqual({ ui: { csp: {}, prefersBorder: true } });
      await page.close();
      await client.close();
    },
  );

  it("resolves a conflict in the store, tells the assistant, and undoes it", async () => {
    const client = await chat();
    await conflict(client, "gateway");
    expect(await openPairs(client)).toBe(1);
    const { page, frame, troubles, context } = await openInChat(browser, client, CONFLICTS);

    await frame.getByRole("button", { name: "Keep the newer" }).click();
    await frame.getByText("Settled.").waitFor();
    expect(await openPairs(client)).toBe(0);
    expect(JSON.stringify(await call(client, "chest_recall", { query: "gateway port" }))).not.toContain("8080");
    expect(context).toEqual([expect.stringMatching(/settled memory \d+ against memory \d+: keep_this/)]);

    await frame.getByRole("button", { name: "Undo" }).click();
    await frame.getByRole("button", { name: "Both hold" }).click();
    expect(await openPairs(client)).toBe(1);
    await frame.getByLabel("When each of them holds").fill("8080 inside, 9443 outside");
    await frame.getByRole("button", { name: "Both hold" }).click();
    await frame.getByText("Settled.").waitFor();
    expect(await openPairs(client)).toBe(0);
    expect(troubles).toEqual([]);
    await page.close();
    await client.close();
  });

  it("opens the conflict of a recalled memory", async () => {
    const client = await chat();
    await conflict(client, "proxy");
    const asked = { name: "chest_recall", arguments: { query: "proxy port 9443" } };
    const { page, frame } = await openInChat(browser, client, asked);
    await frame.getByRole("button", { name: "Contradictions" }).first().click();
    await frame.getByRole("button", { name: "Merge" }).click();
    await frame.getByText("Settled.").waitFor();
    expect(await openPairs(client)).toBe(0);
    await page.close();
    await client.close();
  });

  it("is offered by the stdio client as well", async () => {
    const env = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
    const { client, stop } = await connectStdioClient({ env, capabilities: CAPABILITIES });
    const { tools } = await client.listTools();
    const drawn = tools.filter(({ _meta }) => _meta).map(({ name }) => name);
    const { contents } = await client.readResource({ uri: "ui://chest/memories" });
    await stop();
    expect(drawn).toEqual(["chest_recall", "chest_inspect"]);
    expect(contents).toMatchObject([
      { mimeType: "text/html;profile=mcp-app", text: expect.stringMatching(/^<!doctype html>/) },
    ]);
  });

  it("says why a conflict cannot be resolved as it was shown", async () => {
    const client = await chat();
    await conflict(client, "router");
    const { page, frame } = await openInChat(browser, client, CONFLICTS);
    const { items } = await call(client, CONFLICTS.name, CONFLICTS.arguments);
    const [{ newer }] = items as [{ newer: { id: number } }];
    await call(client, "chest_update_memory", { memory_id: newer.id, importance: 0.8 });
    await frame.getByRole("button", { name: "Keep the newer" }).click();
    expect(await frame.getByRole("alert").textContent()).toContain(`memory ${newer.id}`);
    expect(await openPairs(client)).toBe(1);
    await page.close();

    const { page: other, frame: silent } = await openInChat(browser, client, CONFLICTS, { passesTools: false });
    await silent.getByText("listens on port 9443").waitFor();
    expect(await silent.getByRole("button").count()).toBe(0);
    await other.close();
    await client.close();
  });

  it("speaks four languages, light and dark", async () => {
    const client = await chat();
    await conflict(client, "bridge");
    const grounds = new Set<string>();
    for (const [locale, name, theme] of [
      ["en-GB", "Merge", "light"],
      ["ja-JP", "統合", "dark"],
      ["zh-CN", "合并", "light"],
      ["ko-KR", "병합", "dark"],
    ] as const) {
      const { page, frame } = await openInChat(browser, client, CONFLICTS, { locale, theme });
      await frame.getByRole("button", { name }).first().waitFor();
      grounds.add(await frame.locator("body").evaluate("getComputedStyle(document.body).backgroundColor"));
      await page.close();
    }
    expect([...grounds]).toEqual(["rgb(255, 255, 255)", "rgb(19, 20, 22)"]);
    await client.close();
  });
});
