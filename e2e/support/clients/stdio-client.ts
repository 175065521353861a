import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { cleanEnv, NODE_24, ROOT } from "../process.ts";

/** Built program that npm users run. */
export const CHEST_MEMORY = join(ROOT, "apps/mcp/dist/chest-memory.js");

export interface StdioClient {
  readonly client: Client;
  readonly pid: number;
  /** Returns the program's stderr so far. */
  stderr(): string;
  /** Ends the program like a host: closes its input, then kills it. */
  stop(): Promise<void>;
}

interface StdioClientOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Program to start; by default the built one under the workspace's Node 24. */
  readonly program?: { readonly command: string; readonly args: readonly string[] };
  /** Folder in which the program is started. */
  readonly cwd?: string;
  /** Capabilities that the host states, such as roots or elicitation. */
  readonly capabilities?: NonNullable<ConstructorParameters<typeof Client>[1]>["capabilities"];
  /** Called before connecting, to add request handlers. */
  readonly prepare?: (client: Client) => void;
}

/** Connects the official client over stdio to the built program. */
export async function connectStdioClient(options: StdioClientOptions = {}): Promise<StdioClient> {
  const { command, args } = options.program ?? builtProgram();
  const client = new Client({ name: "chest-e2e", version: "1.0.0" }, { capabilities: options.capabilities ?? {} });
  options.prepare?.(client);
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: definedOnly(cleanEnv(options.env ?? {})),
    cwd: options.cwd ?? ROOT,
    stderr: "pipe",
  });
  const printed: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  try {
    await client.connect(transport);
  } catch (error) {
    throw new Error(`the program did not answer; its stderr:\n${printed.join("")}`, { cause: error });
  }
  const { pid } = transport;
  if (pid === null) throw new Error("a connected program has a process");
  return { client, pid, stderr: () => printed.join(""), stop: () => client.close() };
}

function builtProgram() {
  if (!existsSync(CHEST_MEMORY)) throw new Error("apps/mcp/dist is not there: `npm run build` makes it");
  return { command: NODE_24, args: [CHEST_MEMORY] };
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
