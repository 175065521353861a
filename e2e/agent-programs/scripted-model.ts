import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One answer of the model: words, words of what it was asked, or a command that it wants run by the tool of that name. */
export type Answer =
  | { readonly says: string }
  | { readonly saysOf: (asked: string) => string }
  | { readonly tool: string; readonly input: object };

/** An answer whose words are known. */
type Said = Exclude<Answer, { readonly saysOf: unknown }>;

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every request for an answer, as text. */
  readonly asked: readonly string[];
  /** Sets the next answers in order; after the last one the model answers with text. */
  answers(script: readonly Answer[]): void;
  stop(): Promise<void>;
}

/**
 * Language model with scripted answers, over the protocols of OpenAI (chat and responses) and Gemini. A request without
 * tools, such as one for a title, gets a word and uses no scripted answer.
 */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const asked: string[] = [];
  let script: Answer[] = [];
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const protocol = PROTOCOLS.find(({ path }) => path.test(request.url ?? ""));
    if (request.method !== "POST" || !protocol) return listModels(request, response);
    const hasTools = /"tools":\s*\[\s*\{/.test(body);
    if (hasTools) asked.push(body);
    const next = hasTools ? (script.shift() ?? { says: "Done." }) : { says: "Work" };
    const answer = "saysOf" in next ? { says: next.saysOf(body) } : next;
    count += 1;
    protocol.write(answer, `a${count}`, response, /"stream":\s*true|alt=sse/.test(body + request.url));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answers(next) {
      script = [...next];
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function listModels({ url }: IncomingMessage, response: ServerResponse): void {
  const isList = url?.includes("/models");
  response.writeHead(isList ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(isList ? { object: "list", data: [{ id: "scripted", object: "model" }] } : {}));
}

interface Protocol {
  readonly path: RegExp;
  write(answer: Said, id: string, response: ServerResponse, isStreamed: boolean): void;
}

const PROTOCOLS: readonly Protocol[] = [
  { path: /\/chat\/completions/, write: writeChat },
  { path: /\/responses/, write: writeResponses },
  { path: /enerateContent/, write: writeGemini },
];

const events = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });

function writeChat(answer: Said, id: string, response: ServerResponse, isStreamed: boolean): void {
  const isSaid = "says" in answer;
  const call = isSaid
    ? undefined
    : [
        {
          index: 0,
          id: `call_${id}`,
          type: "function",
          function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
        },
      ];
  const message = { role: "assistant", content: isSaid ? answer.says : null, ...(call ? { tool_calls: call } : {}) };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const base = { id, created: 1, model: "scripted" };
  const finish_reason = isSaid ? "stop" : "tool_calls";
  if (!isStreamed) {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({ ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage }),
    );
    return;
  }
  events(response);
  const chunk = (choice: object) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] })}\n\n`,
    );
  chunk({ delta: message, finish_reason: null });
  chunk({ delta: {}, finish_reason });
  response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function writeResponses(answer: Said, id: string, response: ServerResponse): void {
  const item =
    "says" in answer
      ? { type: "message", role: "assistant", id: `msg_${id}`, content: [{ type: "output_text", text: answer.says }] }
      : {
          type: "function_call",
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: answer.tool,
          arguments: JSON.stringify(answer.input),
        };
  const usage = {
    input_tokens: 10,
    input_tokens_details: null,
    output_tokens: 5,
    output_tokens_details: null,
    total_tokens: 15,
  };
  events(response);
  for (const event of [
    { type: "response.created", response: { id } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, usage, output: [item] } },
  ])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function writeGemini(answer: Said, _: string, response: ServerResponse, isStreamed: boolean): void {
  const part = "says" in answer ? { text: answer.says } : { functionCall: { name: answer.tool, args: answer.input } };
  const body = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  if (isStreamed) events(response).end(`data: ${JSON.stringify(body)}\n\n`);
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
