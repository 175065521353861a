import { type Env, RELEASE } from "@chest/runtime";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { Registration } from "./server-entry.ts";

/** Starts our server as an agent would, and sends it one request. Returns the answer; throws the failure. */
export async function shakeHands(
  { command, args, env }: Registration,
  around: Env,
  timeoutMs: number,
): Promise<string> {
  const client = new Client({ name: "chest-index", version: RELEASE }, { jsonSchemaValidator: TRUSTING });
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...surroundings(around), ...env },
    stderr: "pipe",
  });
  const printed: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => printed.push(chunk.toString()));
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools({}, { timeout: timeoutMs });
    const call = { name: "chest_list_entities", arguments: { limit: 1 } };
    const { isError, content } = await client.callTool(call, undefined, { timeout: timeoutMs });
    if (isError) throw new Error(messageIn(content));
    return `${tools.length} tools`;
  } catch (error) {
    const said = wordsIn(printed.join("").trim().split("\n").at(-1) ?? "");
    const message = error instanceof Error ? error.message : String(error);
    throw new Error([message, said].filter(Boolean).join("; "));
  } finally {
    await client.close();
  }
}

/** Accepts any answer: the server is our own, and its answer is checked below. */
const TRUSTING = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input) => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** Environment that an agent would pass on: its own, without any variable of ours that happens to be set here. */
function surroundings(env: Env): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.filter(([name]) => !name.startsWith("CHEST_")));
}

/** Extracts the message of a log line, or returns the line as it is. */
function wordsIn(line: string): string {
  try {
    const { err, msg } = JSON.parse(line);
    return String(err?.message ?? msg ?? "");
  } catch {
    return line;
  }
}

function messageIn(content: unknown): string {
  const [first] = Array.isArray(content) ? content : [];
  const text = typeof first?.text === "string" ? first.text : "";
  try {
    const { error } = JSON.parse(text);
    return [error.message, error.hint].filter(Boolean).join("; ");
  } catch {
    return text || "it refused";
  }
}
