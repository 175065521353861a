import { Agent, MCPServerStreamableHttp, type Model, Runner } from "@openai/agents-core";

/** Answers a question with OpenAI Agents and the team's memory. */
export async function answer(model: Model, { url, token }: { url: string; token: string }, question: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const memory = new MCPServerStreamableHttp({ name: "chest", url: `${url}/mcp`, requestInit: { headers } });
  await memory.connect();
  try {
    const agent = new Agent({ name: "assistant", model, mcpServers: [memory] });
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, question);
    return finalOutput ?? "";
  } finally {
    await memory.close();
  }
}
