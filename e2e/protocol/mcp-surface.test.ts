import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { ask, connectHttpClient, mcpDoor } from "../support/clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import { startDeployment } from "../support/deployment/deployment.ts";
import { hasNginx } from "../support/deployment/nginx.ts";

const FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "realize",
  content: "the deploy needs two keys",
};

describe.each(["local", "remote"] as const)("the program in %s mode", (mode) => {
  let backend: Backend | undefined;
  let dataDir: string;
  let agent: StdioClient;
  let answer: ElicitResult = { action: "decline" };
  const questions: string[] = [];

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "chest-surface-"));
    backend = mode === "remote" ? await startBackend() : undefined;
    const remote = backend ? { CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token } : {};
    agent = await connectStdioClient({
      env: { CHEST_MODE: mode, CHEST_DATA_DIR: dataDir, ...remote },
      capabilities: { elicitation: {} },
      prepare: (client) =>
        client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
          questions.push(params.message);
          return answer;
        }),
    });
  });
  afterAll(async () => {
    await agent.stop();
    await backend?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, structuredContent } = await agent.client.callTool({ name, arguments: input });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads answers without their types, like an agent.
    return (structuredContent ?? JSON.parse((content as { text: string }[])[0]?.text ?? "")) as any;
  };

  it("answers every resource, and none contains an archived row", async () => {
    const { memory_id: id, embedding } = await call("chest_remember", FACT);
    expect(embedding).toEqual({ status: expect.stringMatching(/^(ok|pending)$/) });
    const uris = ["stats", "hot", "recent", "realizes", "entity/Acme%20API", "layer/pitfall", `memory/${id}`];
    for (const path of uris) {
      const { contents } = await agent.client.readResource({ uri: `memory://${path}` });
      const [content] = contents;
      expect(JSON.parse(content && "text" in content ? content.text : ""), path).toHaveProperty("_notice");
    }
    for (const uri of ["chest://stats", "chest://projects", "chest://guide"])
      expect((await agent.client.readResource({ uri })).contents).toMatchObject([
        { uri, mimeType: "application/json" },
      ]);
    await expect(agent.client.readResource({ uri: "memory://memory/999999" })).rejects.toMatchObject({
      code: -32002,
      data: { error: { code: "NOT_FOUND" } },
    });
  });

  it("asks the user before it archives, and obeys", async () => {
    const { memory_id: id } = await call("chest_remember", { ...FACT, layer: "learning" });
    const forget = () => call("chest_forget", { memory_id: id, interactive: true });
    expect(await forget()).toMatchObject({ error: { code: "DECLINED", details: { reason: "declined" } } });
    answer = { action: "accept", content: { confirm: true } };
    expect(await forget()).toMatchObject({ ok: true, archived: 1 });
    expect(questions.at(-1)).toBe(`Archive memory ${id}?\nlearning / acme-api: ${FACT.content}`);
  });

  it("has the nine prompts", async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts).toHaveLength(9);
  });
});

describe.skipIf(!hasNginx)("`/mcp` behind nginx with TLS", () => {
  it("asks the user before it archives, and obeys", async () => {
    const deployment = await startDeployment();
    const client = await connectHttpClient(deployment, { elicitation: {} });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { confirm: true } }));
    const door = mcpDoor(client);
    const { memory_id: id } = await ask(door, "chest_remember", { ...FACT, layer: "learning" });

    expect(await ask(door, "chest_forget", { memory_id: id, interactive: true })).toMatchObject({ archived: 1 });

    await client.close();
    await deployment.stop();
  });
});
