import { mkdtemp, readdir, readFile, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { noteContextEnd } from "@chest/runtime/context-ends";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";

const SOURCE = Array.from(
  { length: 12 },
  (_, at) =>
    `export function part${at}(given: number): number {\n  const doubled = given * 2;\n  const more = doubled + ${at};\n  return more;\n}\n`,
).join("\n");

let dir: string;
let project: string;
let dataDir: string;
let backend: Backend | undefined;
const agents: StdioClient[] = [];

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "chest-read-smart-")));
  project = await mkdtemp(join(dir, "proj-"));
  dataDir = join(dir, "data");
  await writeFile(join(project, "parts.ts"), SOURCE);
});
afterEach(async () => {
  await Promise.all(agents.splice(0).map(({ stop }) => stop()));
  await backend?.stop();
  backend = undefined;
  await rm(dir, { recursive: true, force: true });
});

/** Starts an agent in a folder; `roots` are the folders that its client reports as open. */
async function open({
  cwd = project,
  env = {},
  roots,
}: {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  roots?: string[];
} = {}) {
  const remote = backend
    ? { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token }
    : { CHEST_MODE: "local" };
  const agent = await connectStdioClient({
    cwd,
    env: { HOME: dir, CHEST_DATA_DIR: dataDir, ...remote, ...env },
    capabilities: roots ? { roots: { listChanged: true } } : {},
    prepare: (client) => {
      if (!roots) return;
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
      }));
    },
  });
  agents.push(agent);
  const read = async (path: string, over: object = {}) => {
    const answer = await agent.client.callTool({ name: "chest_read_smart", arguments: { path, ...over } });
    const [item] = answer.content as { text: string }[];
    return answer.isError ? JSON.parse(item?.text ?? "").error : answer.structuredContent;
  };
  return { agent, read };
}

describe.each(["local", "remote"] as const)("reading in %s mode", (mode) => {
  beforeEach(async () => {
    if (mode === "remote") backend = await startBackend();
  });

  it("gives a file once, then only its changes", async () => {
    const { read } = await open();
    expect(await read("parts.ts")).toMatchObject({
      status: "first_read",
      path: join(project, "parts.ts"),
      content: SOURCE,
      chunks: expect.arrayContaining([
        { id: "function:part3", start_line: expect.any(Number), end_line: expect.any(Number) },
      ]),
    });
    expect(await read("parts.ts")).toMatchObject({ status: "unchanged", chunk_count: 12 });
    await writeFile(join(project, "parts.ts"), SOURCE.replace("doubled + 5", "doubled + 55"));
    expect(await read("./parts.ts")).toMatchObject({
      status: "modified",
      changed_chunks: [{ id: "function:part5", status: "modified", content: expect.stringContaining("doubled + 55") }],
    });
    const past = new Date(0);
    await utimes(join(project, "parts.ts"), past, past);
    expect(await read("parts.ts")).toMatchObject({ status: "unchanged_content" });
  });

  it("shows what is remembered about a file beside its content", async () => {
    const { agent, read } = await open();
    const content = "parts.ts: the doubling overflows above 2^52, so part9 is never called with more";
    const fact = { entity_name: "acme-api", entity_kind: "project", layer: "realize", content };
    const { structuredContent } = await agent.client.callTool({ name: "chest_remember", arguments: fact });
    const { memory_id: id } = structuredContent as { memory_id: number };

    const facts = [{ id, layer: "realize", preview: content }];
    expect(await read("parts.ts")).toMatchObject({ status: "first_read", file_facts: facts });
    expect(await read("parts.ts")).toMatchObject({ status: "unchanged", file_facts: facts });
  });

  it("gives the whole file to another agent, and to the same one once its context has ended", async () => {
    const [one, other] = await Promise.all([open(), open()]);
    await one.read("parts.ts");
    expect(await other.read("parts.ts")).toMatchObject({ status: "first_read" });
    expect(await one.read("parts.ts")).toMatchObject({ status: "unchanged" });
    noteContextEnd(dataDir, join(dir, "elsewhere"));
    expect(await one.read("parts.ts")).toMatchObject({ status: "unchanged" });
    noteContextEnd(dataDir, project);
    expect(await one.read("parts.ts")).toMatchObject({ status: "first_read", content: SOURCE });
  });
});

describe("the workspace", () => {
  it("is the working directory where no other is named, and none in a home folder", async () => {
    const { read } = await open();
    expect(await read("../data")).toMatchObject({ code: "OUTSIDE_ROOTS" });
    const atHome = await open({ cwd: dir });
    expect(await atHome.read(join(project, "parts.ts"))).toMatchObject({
      code: "OUTSIDE_ROOTS",
      details: { roots: 0 },
    });
  });

  it("is the working directory where none is named, and nothing at all with CHEST_ROOTS=none", async () => {
    const path = join(project, "parts.ts");
    expect(await (await open()).read(path)).toMatchObject({ status: "first_read" });
    for (const roots of [undefined, [project]]) {
      const { read } = await open({ env: { CHEST_ROOTS: "none" }, ...(roots ? { roots } : {}) });
      expect(await read(path)).toMatchObject({
        code: "OUTSIDE_ROOTS",
        hint: expect.stringContaining("`none`"),
        details: { roots: 0 },
      });
    }
  });

  it("is what the client has open, and what CHEST_ROOTS names", async () => {
    const [opened, named] = await Promise.all([mkdtemp(join(dir, "opened-")), mkdtemp(join(dir, "named-"))]);
    for (const folder of [opened, named]) await writeFile(join(folder, "a.md"), "# A\n");
    const roots = [opened];
    const { agent, read } = await open({ roots, env: { CHEST_ROOTS: named } });

    expect(await read(join(opened, "a.md"))).toMatchObject({ status: "first_read" });
    expect(await read(join(named, "a.md"))).toMatchObject({ status: "first_read" });
    expect(await read("parts.ts")).toMatchObject({ code: "OUTSIDE_ROOTS", details: { roots: 2 } });
    roots.push(project);
    await agent.client.sendRootsListChanged();
    expect(await read("parts.ts")).toMatchObject({ status: "first_read" });
  });
});

describe("the backend", () => {
  it("costs the savings but not the file when it is away", async () => {
    backend = await startBackend();
    const { read } = await open();
    await read("parts.ts");
    await backend.stop();
    expect(await read("parts.ts")).toMatchObject({ status: "first_read", content: SOURCE, cache: "unavailable" });
  });

  it("has no files, and is sent none", async () => {
    backend = await startBackend();
    const { read } = await open();
    await read("parts.ts");
    const { url, token } = backend;
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      return (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json();
    };
    expect(await post("/api/tools/chest_read_smart", { path: "/etc/passwd" })).toMatchObject({
      ok: false,
      error: {
        code: "OUTSIDE_ROOTS",
        message: expect.stringMatching(/^Access denied.*this backend has no files$/),
        hint: expect.stringContaining("ask the stdio client"),
      },
    });
    const names = await readdir(backend.dataDir);
    expect(names.length).toBeGreaterThan(0);
    expect(await holds(backend.dataDir, "const doubled")).toBe(false);
  });
});

async function holds(folder: string, text: string): Promise<boolean> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes(text)) return true;
  }
  return false;
}
