import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent } from "langchain";

/** Answers a question with LangChain and the team's memory. */
export async function answer(model: BaseChatModel, { url, token }: { url: string; token: string }, question: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const memory = new MultiServerMCPClient({ chest: { transport: "http", url: `${url}/mcp`, headers } });
  try {
    const agent = createAgent({ model, tools: await memory.getTools() });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
    return messages.at(-1)?.text ?? "";
  } finally {
    await memory.close();
  }
}
