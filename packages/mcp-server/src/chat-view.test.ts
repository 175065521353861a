import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localResources } from "@chest/core/resources";
import { TOOLS } from "@chest/core/tools";
import { aCall, testExecutor } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { CHAT_VIEW_FILE } from "./chat-view.ts";
import { createMcpServer } from "./server.ts";

const URI = "ui://chest/memories";
const DRAWS = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } } };
const FILE = join(mkdtempSync(join(tmpdir(), "chest-chat-view-")), CHAT_VIEW_FILE);
writeFileSync(FILE, "<!doctype html><title>memories</title>");

async function connect(capabilities: ClientCapabilities, file: string | undefined = FILE) {
  const { executor } = await testExecutor();
  const server = createMcpServer({
    tools: TOOLS,
    executor,
    resources: localResources(executor),
    chatView: () => file,
    callFor: ({ signal }) => aCall({ signal }),
    version: "1",
    instructions: "",
  });
  const client = new Client({ name: "an-agent", version: "1" }, { capabilities });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  return { client, tools, drawn: tools.filter(({ _meta }) => _meta), uris: resources.map(({ uri }) => uri) };
}

it("points the two tools whose answers are drawn to the document, for a client that draws it", async () => {
  const { drawn, uris, client } = await connect(DRAWS);

  expect(drawn.map(({ name, _meta }) => [name, _meta])).toEqual([
    ["chest_recall", { ui: { resourceUri: URI } }],
    ["chest_inspect", { ui: { resourceUri: URI } }],
  ]);
  expect(uris).toContain(URI);
  expect((await client.readResource({ uri: URI })).contents).toEqual([
    {
      uri: URI,
      mimeType: "text/html;profile=mcp-app",
      text: "<!doctype html><title>memories</title>",
      _meta: { ui: { csp: {}, prefersBorder: true } },
    },
  ]);
});

it("changes nothing for a client that draws none, or draws something else", async () => {
  const others = [{}, { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html"] } } }];
  for (const capabilities of others) {
    const { tools, drawn, uris } = await connect(capabilities);
    expect([tools.length, drawn, uris.includes(URI)]).toEqual([TOOLS.length, [], false]);
  }
});

it("promises no document that is not built", async () => {
  const { drawn, uris, client } = await connect(DRAWS, "");
  expect([drawn, uris.includes(URI)]).toEqual([[], false]);
  await expect(client.readResource({ uri: URI })).rejects.toMatchObject({ code: -32002 });
});
