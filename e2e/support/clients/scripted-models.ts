import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { type Model, Usage } from "@openai/agents-core";
import { MockLanguageModelV4 } from "ai/test";

const CALL = { id: "call-1", name: "chest_recall", args: { query: "blue queue" } };

/** Models that call recall once, and then repeat the conversation. */
export function vercelModel() {
  const nothing = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens: nothing, outputTokens: { total: 0, text: 0, reasoning: 0 } };
  let turns = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const isFirst = turns++ === 0;
      const call = {
        type: "tool-call" as const,
        toolCallId: CALL.id,
        toolName: CALL.name,
        input: JSON.stringify(CALL.args),
      };
      return {
        content: [isFirst ? call : { type: "text" as const, text: JSON.stringify(prompt) }],
        finishReason: { unified: isFirst ? ("tool-calls" as const) : ("stop" as const), raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

export const langchainModel = () =>
  fakeModel()
    .respondWithTools([CALL])
    .respond((messages) => new AIMessage(JSON.stringify(messages)));

export function openaiModel(): Model {
  let turns = 0;
  return {
    async getResponse({ input }) {
      const call = {
        type: "function_call" as const,
        callId: CALL.id,
        name: CALL.name,
        arguments: JSON.stringify(CALL.args),
        status: "completed" as const,
      };
      const message = {
        type: "message" as const,
        role: "assistant" as const,
        status: "completed" as const,
        content: [{ type: "output_text" as const, text: JSON.stringify(input) }],
      };
      return { usage: new Usage(), output: [turns++ === 0 ? call : message] };
    },
    // biome-ignore lint/correctness/useYield: no caller requests a stream.
    async *getStreamedResponse() {
      throw new Error("the script has no stream");
    },
  };
}
