import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as a model's server gets it. */
export interface LlmRequestSeen {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly messages: readonly { readonly role: string; readonly content: unknown }[] } & Record<
    string,
    unknown
  >;
  /** Everything that was said, by whomever. */
  readonly text: string;
}

/** Text to answer with; or a status, no answer ever, or something that is no answer. */
export type LlmReply = string | { readonly status: number } | "never" | { readonly raw: string };

export interface LlmStandIn {
  /** Address as `CHEST_LLM_URL` has it. */
  readonly url: string;
  readonly asked: LlmRequestSeen[];
  /** Most requests that were open at one time. */
  readonly most: () => number;
  reply: (asked: LlmRequestSeen) => LlmReply | Promise<LlmReply>;
  close(): Promise<void>;
}

/** A server on this machine that speaks as OpenAI's and Anthropic's do, and answers what a test wants. */
export async function openLlmStandIn(): Promise<LlmStandIn> {
  const asked: LlmRequestSeen[] = [];
  let open = 0;
  let most = 0;
  const standIn = {
    asked,
    most: () => most,
    reply: (() => "an answer") as LlmStandIn["reply"],
  };
  const server = createServer(async (request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.on("close", () => {
      open -= 1;
    });
    const body = JSON.parse(await textOf(request));
    const one = {
      path: request.url ?? "",
      headers: request.headers,
      body,
      text: JSON.stringify([body.system, body.messages]),
    };
    asked.push(one);
    answer(response, one, await standIn.reply(one));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(standIn, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

function answer(response: ServerResponse, { path, body }: LlmRequestSeen, reply: LlmReply): void {
  if (reply === "never") return;
  const json = (value: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  if (typeof reply === "object" && "status" in reply) return void json({ error: { message: "no" } }, reply.status);
  if (typeof reply === "object") {
    response.writeHead(200, { "content-type": "application/json" }).end(reply.raw);
    return;
  }
  if (path.endsWith("/messages")) {
    json({
      id: "m-1",
      type: "message",
      role: "assistant",
      model: body.model,
      content: [{ type: "text", text: reply }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 5 },
    });
    return;
  }
  json({
    id: "c-1",
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [{ index: 0, message: { role: "assistant", content: reply }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}
