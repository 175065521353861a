import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, type Door, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { type Deployment, startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";

const DOORS = ["stdio", "/mcp", "REST"] as const;

const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  visibility: "team",
  content,
});
const contentsOf = ({ memories }: Record<string, unknown>) =>
  (memories as { content: string }[]).map(({ content }) => content);

describe.skipIf(!hasNginx)("one memory behind nginx and TLS", () => {
  let deployment: Deployment;
  let doors: Record<(typeof DOORS)[number], Door>;

  beforeAll(async () => {
    deployment = await startDeployment();
    doors = await deployment.openDoors();
  });
  afterAll(() => deployment.stop());

  it("is served under a prefix and over TLS only", () => {
    expect(deployment.url).toMatch(/^https:\/\/localhost:\d+\/chest-memory$/);
  });

  it.each(DOORS.flatMap((to) => DOORS.map((from) => ({ to, from }))))(
    "gives back over $from what was said over $to",
    async ({ to, from }) => {
      const cluster = `cluster-${to}2${from}`.replaceAll("/", "");
      const fact = aFact(`deploys go through ${cluster} since the autumn outage`);
      const { memory_id } = await ask(doors[to], "chest_remember", fact);
      const answer = await ask(doors[from], "chest_recall", { query: `outage ${cluster}`, limit: 1 });
      expect(answer.memories).toMatchObject([{ id: memory_id, content: fact.content, entity: { name: "acme-api" } }]);
    },
  );

  it("is one memory for two agents on two machines", async () => {
    const [here, there] = await Promise.all([deployment.connectStdio(), deployment.connectStdio()]);
    const { content } = aFact("the staging database is rebuilt every night at three");
    await ask(mcpDoor(here.client), "chest_remember", { ...aFact(content), visibility: "project" });
    const answer = await ask(mcpDoor(there.client), "chest_recall", { query: "when is staging rebuilt" });
    expect(contentsOf(answer)).toContain(content);
  });

  it("keeps a project's memories out of another project, unless that has none and its caller may read both", async () => {
    const [ours, theirs] = await Promise.all([deployment.connectStdio("ours"), deployment.connectStdio("theirs")]);
    const fact = { ...aFact("the reactor's coolant pump is number seven"), visibility: "project" };
    await ask(mcpDoor(ours.client), "chest_remember", fact);
    const query = { query: "coolant pump" };
    expect(contentsOf(await ask(mcpDoor(ours.client), "chest_recall", query))).toEqual([fact.content]);
    expect(contentsOf(await ask(mcpDoor(theirs.client), "chest_recall", { ...query, limit: 8 }))).toEqual([]);
    const widened = await ask(mcpDoor(theirs.client), "chest_recall", query);
    expect(contentsOf(widened)).toEqual([fact.content]);
    expect(widened.warnings).toMatchObject([{ reason: "other_projects" }]);
  });

  it("lists the same tools to both kinds of MCP client, and each call validates against its output schema", async () => {
    const { client } = await deployment.connectStdio();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["chest_remember", "chest_recall", "chest_update_memory", "chest_list_entities"]),
    );
    expect(tools.every(({ outputSchema, annotations }) => outputSchema && annotations)).toBe(true);
    // Once it has listed the tools, the official client validates every answer itself.
    const { memory_id } = await ask(mcpDoor(client), "chest_remember", aFact("one build takes about four minutes"));
    await ask(mcpDoor(client), "chest_update_memory", { memory_id, content: "one build takes about five minutes" });
    await ask(mcpDoor(client), "chest_recall", { ids: [memory_id] });
    await ask(mcpDoor(client), "chest_list_entities", {});
    await ask(mcpDoor(client), "chest_forget", { memory_id });
  });
});

describe("the stdio client without a backend", () => {
  it("keeps a memory on this PC and finds it after a restart", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "chest-local-"));
    const env = { CHEST_MODE: "local", CHEST_DATA_DIR: dataDir, CHEST_PROJECT: "chest-e2e" };
    const fact = aFact("local mode needs no backend and no network at all");
    try {
      const first = await connectStdioClient({ env });
      await ask(mcpDoor(first.client), "chest_remember", fact);
      await first.stop();
      const second = await connectStdioClient({ env });
      expect(contentsOf(await ask(mcpDoor(second.client), "chest_recall", { query: "backend network" }))).toEqual([
        fact.content,
      ]);
      await second.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
