import { readFile } from "node:fs/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { ErrorCode } from "@chest/contracts";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";

export interface Refusal {
  /** Code of the error envelope; for a protocol error of MCP, its number. */
  readonly code: ErrorCode | number;
  readonly message: string;
  readonly hint?: string;
  readonly details?: Record<string, unknown>;
}

/** Answer of a tool, over any transport. */
export interface ToolReply {
  readonly result?: Record<string, unknown>;
  readonly error?: Refusal;
  /** HTTP status, where the transport has one. */
  readonly status?: number;
  readonly headers?: Headers;
}

/** One of the transports to the tools. */
export interface Door {
  call(tool: string, input: unknown): Promise<ToolReply>;
}

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** Calls tools over MCP, on stdio or over HTTP. */
export function mcpDoor(client: Client): Door {
  return {
    async call(name, input) {
      try {
        const answer = await client.callTool({ name, arguments: input as Record<string, unknown> });
        const [text] = answer.content as { type: string; text: string }[];
        if (answer.isError) return { error: JSON.parse(text?.text ?? "null").error };
        return { result: answer.structuredContent as Record<string, unknown> };
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        return { error: { code: error.code, message: error.message } };
      }
    },
  };
}

/** Calls tools over REST, like a 1.5 client that names no project. */
export function restDoor({ url, token }: Address, headers: Record<string, string> = {}): Door {
  return {
    async call(name, input) {
      const response = await fetch(`${url}/api/tools/${name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(input),
      });
      const { result, error } = (await response.json()) as ToolReply;
      return { ...(error ? { error } : { result: result ?? {} }), status: response.status, headers: response.headers };
    },
  };
}

/** Connects the official client to `/mcp`. */
export async function connectHttpClient({ url, token }: Address, capabilities = {}): Promise<Client> {
  const client = new Client({ name: "chest-e2e", version: "1.0.0" }, { capabilities });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return client;
}

/** Makes this process trust a test certificate authority. */
export async function trust(caFile: string): Promise<void> {
  setDefaultCACertificates([...getCACertificates(), await readFile(caFile, "utf8")]);
}

/** Returns the result, and fails the test for a refusal. */
export async function ask(door: Door, tool: string, input: unknown): Promise<Record<string, unknown>> {
  const { result, error } = await door.call(tool, input);
  if (result === undefined) throw new Error(`${tool} refused: ${JSON.stringify(error)}`);
  return result;
}
