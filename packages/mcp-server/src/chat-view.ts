import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Extension by which a client says that it draws documents of a server inside a chat (MCP Apps). */
const EXTENSION = "io.modelcontextprotocol/ui";
const MIME_TYPE = "text/html;profile=mcp-app";
const URI = "ui://chest/memories";

/** Tools whose answers are drawn: a list of memories, and conflicts to settle. */
const DRAWN = new Set(["chest_recall", "chest_inspect"]);

export const CHAT_VIEW_FILE = "chat-view.html";

export const isChatView = (uri: string): boolean => uri === URI;

/** Reads from a client's abilities whether it draws such documents. */
export function drawsViews(capabilities: { readonly extensions?: unknown } | undefined): boolean {
  const stated = (capabilities?.extensions as Record<string, { mimeTypes?: unknown } | undefined> | undefined)?.[
    EXTENSION
  ];
  return Array.isArray(stated?.mimeTypes) && stated.mimeTypes.includes(MIME_TYPE);
}

/** Finds the built document in one of these places; undefined where it is not built. */
export const findChatView = (places: readonly string[]): string | undefined =>
  places.find((place) => existsSync(place));

export const CHAT_VIEW_RESOURCE = {
  uri: URI,
  name: "memories",
  title: "Memories in the chat",
  description: "Draws the memories of an answer, and settles conflicts",
  mimeType: MIME_TYPE,
};

/** Points the drawn tools of a listing to the document. */
export const withChatView = <T extends { readonly name: string }>(tools: readonly T[]): T[] =>
  tools.map((tool) => (DRAWN.has(tool.name) ? { ...tool, _meta: { ui: { resourceUri: URI } } } : tool));

/** The document as `resources/read` answers it. No address is listed in its policy: it loads nothing and reaches nothing. */
export const readChatView = async (file: string) => ({
  contents: [
    {
      uri: URI,
      mimeType: MIME_TYPE,
      text: await readFile(file, "utf8"),
      _meta: { ui: { csp: {}, prefersBorder: true } },
    },
  ],
});
