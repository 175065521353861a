import type { Client } from "@modelcontextprotocol/client";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { Browser, FrameLocator } from "playwright-core";
import { openPage } from "../page/browser.ts";

type Transport = Parameters<AppBridge["connect"]>[0];
type Message = Parameters<Transport["send"]>[0];

export interface ChatHostOptions {
  readonly locale?: string;
  readonly theme?: "light" | "dark";
  /** True when the document may call tools. */
  readonly passesTools?: boolean;
}

/** Host of MCP Apps in Chromium: calls a tool, and draws the tool's document in a frame without rights. */
export async function openInChat(
  browser: Browser,
  client: Client,
  call: { readonly name: string; readonly arguments: Record<string, unknown> },
  { locale = "en", theme = "light", passesTools = true }: ChatHostOptions = {},
) {
  const { tools } = await client.listTools();
  const ui = tools.find(({ name }) => name === call.name)?._meta?.ui as { resourceUri: string } | undefined;
  if (!ui) throw new Error(`${call.name} points to no document`);
  const [document] = (await client.readResource({ uri: ui.resourceUri })).contents;
  if (!document || !("text" in document)) throw new Error("there is no document");

  const { page, troubles } = await openPage(browser, { colorScheme: theme });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const context: string[] = [];
  const bridge = new AppBridge(
    client,
    { name: "a-chat", version: "1" },
    { ...(passesTools ? { serverTools: {} } : {}), updateModelContext: { text: {} } },
    { hostContext: { theme, locale } },
  );
  bridge.onupdatemodelcontext = async ({ content }) => {
    context.push(JSON.stringify(content));
    return {};
  };
  const begun = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const transport: Transport = {
    async start() {
      await page.exposeFunction("toHost", (message: Message) => transport.onmessage?.(message));
    },
    async send(message) {
      await page.evaluate(
        `document.querySelector("iframe").contentWindow.postMessage(${JSON.stringify(message)}, "*")`,
      );
    },
    async close() {
      await page.close();
    },
  };
  await bridge.connect(transport);
  await page.setContent(
    `<title>a chat</title><iframe style="border:0;width:100%;height:90vh" sandbox="allow-scripts"></iframe>`,
  );
  await page.evaluate(`addEventListener("message", ({ data, source }) => {
    if (source === document.querySelector("iframe").contentWindow) toHost(data);
  });
  document.querySelector("iframe").srcdoc = ${JSON.stringify(document.text)};`);
  await begun;
  await bridge.sendToolInput({ arguments: call.arguments });
  await bridge.sendToolResult((await client.callTool(call)) as never);
  const frame: FrameLocator = page.frameLocator("iframe");
  return { page, frame, troubles, requests, context, document };
}
