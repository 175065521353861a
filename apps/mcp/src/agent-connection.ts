import type { Writable } from "node:stream";
import {
  type Confirm,
  createMcpServer,
  elicitConfirm,
  type Model,
  type Surface,
  sampleText,
  withoutBatches,
} from "@chest/mcp-server";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { agentRoots } from "./roots.ts";

/** Connection to an agent's host, as far as it can be asked something. */
export interface AgentConnection {
  /** Name of the MCP client, once it has said so. */
  name(): string | undefined;
  readonly confirm: Confirm;
  /** Undefined where the host offers no model. */
  sampling(): Model["ask"] | undefined;
  /** The folders that it has open; none from a host that does not say. */
  roots(): Promise<readonly string[]>;
}

/** Serves a host that opens with a handshake, as all did before MCP 2026-07-28. */
export async function connectSession(surface: Surface, frames: Writable, start: () => void): Promise<AgentConnection> {
  const server = createMcpServer(surface);
  const roots = agentRoots(server);
  server.oninitialized = start;
  const transport = new StdioServerTransport(process.stdin, frames);
  await server.connect(transport);
  const deliver = transport.onmessage;
  transport.onmessage = (message) => deliver?.(withoutBatches(message));
  return {
    name: () => server.getClientVersion()?.name,
    confirm: (message, signal) => elicitConfirm(server, message, signal),
    sampling: () =>
      server.getClientCapabilities()?.sampling && ((question, patience) => sampleText(server, question, patience)),
    roots,
  };
}

/**
 * Serves a host whose requests state their protocol. It is asked for a yes and for nothing else: roots and sampling are
 * deprecated there.
 */
export async function connectSessionless(
  surface: Surface,
  frames: Writable,
  start: () => void,
): Promise<AgentConnection> {
  // Loaded for these hosts alone: it would add 11 ms to every start.
  const { clientHere, confirmHere, createSessionlessServer, serveStdio } = await import(
    "@chest/mcp-server/without-sessions"
  );
  // The SDK's own transport of this protocol drops the calls that are under way when stdin ends.
  const transport = new StdioServerTransport(process.stdin, frames);
  serveStdio(() => createSessionlessServer(surface), { transport });
  start();
  return { name: clientHere, confirm: confirmHere, sampling: () => undefined, roots: async () => [] };
}

/** Stands for the host until it has said something. */
export const NOBODY_YET: AgentConnection = {
  name: () => undefined,
  confirm: async () => "no_elicitation",
  sampling: () => undefined,
  roots: async () => [],
};
