import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transcriptOf } from "@chest/testing";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

const ASKED = "Mend the parser, it loses the last line of a file.";

let dir: string;
let backend: Backend;
let agent: StdioClient | undefined;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "chest-recall-file-")));
  backend = await startBackend();
});
afterEach(async () => {
  await agent?.stop();
  await backend.stop();
  await rm(dir, { recursive: true, force: true });
});

it("shows an agent the history of files inside its own folders only, from a backend that has all", async () => {
  const own = join(dir, "proj");
  const other = join(dir, "proj-other");
  for (const folder of [own, other]) {
    await mkdir(join(folder, "src"), { recursive: true });
    await writeFile(join(folder, "src/parser.ts"), "");
  }
  const { user, edits } = transcriptOf("session-1");
  const lines = [user(ASKED), edits(join(own, "src/parser.ts")), edits(join(other, "src/parser.ts"))];
  const synced = await fetch(`${backend.url}/api/hooks/sync-session`, {
    method: "POST",
    headers: { authorization: `Bearer ${backend.token}` },
    body: lines.join("\n"),
  });
  expect(await synced.json()).toMatchObject({ ok: true, editsInserted: 2 });

  agent = await connectStdioClient({
    cwd: dir,
    env: {
      HOME: dir,
      CHEST_DATA_DIR: join(dir, "data"),
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: backend.url,
      CHEST_API_TOKEN: backend.token,
    },
    capabilities: { roots: { listChanged: true } },
    prepare: (client) =>
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(own).href }] })),
  });
  const ask = async (over: object = {}) =>
    (await agent?.client.callTool({ name: "chest_recall_file", arguments: { path_substring: "parser.ts", ...over } }))
      ?.structuredContent;
  expect(await ask()).toMatchObject({ count: 2, user_intents: [{ intent: ASKED, occurrences: 2 }] });
  expect(await ask({ scope_to_roots: true })).toMatchObject({
    count: 1,
    paths_matched: [{ file_path: join(own, "src/parser.ts"), edits: 1 }],
    roots_filter: { applied: true, root_count: 1, before: 2, after: 1 },
  });
});
