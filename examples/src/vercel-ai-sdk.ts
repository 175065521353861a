import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, isStepCount, type LanguageModel } from "ai";

/** Answers a question with the Vercel AI SDK and the team's memory. */
export async function answer(model: LanguageModel, { url, token }: { url: string; token: string }, question: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const memory = await createMCPClient({ transport: { type: "http", url: `${url}/mcp`, headers } });
  try {
    const tools = await memory.tools();
    const { text } = await generateText({ model, tools, prompt: question, stopWhen: isStepCount(8) });
    return text;
  } finally {
    await memory.close();
  }
}
