import { expect } from "vitest";
import { type Backend, startBackend } from "../backend.ts";
import { connectStdioClient } from "./stdio-client.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without their types, like an agent
type Answer = any;

export interface Newcomer {
  /** Calls a tool and returns its answer; a refusal fails the test. */
  use(tool: string, input?: object): Promise<Answer>;
  /** Returns the text of a refusal. */
  refused(tool: string, input: object): Promise<string>;
  /** Returns the text of an answer, as an agent reads it. */
  text(tool: string, input?: object): Promise<string>;
  read(uri: string): Promise<Answer>;
  /** Returns the message that a prompt expands to. */
  prompt(name: string, given?: Readonly<Record<string, string>>): Promise<string>;
  /** Lists the names of prompts and tools, and the addresses of resources, that a host shows. */
  offers(): Promise<Record<"prompts" | "resources" | "tools", readonly string[]>>;
  /** Remembers a fact and returns its id. */
  store(content: string, over?: object): Promise<number>;
}

export interface Newcomers {
  readonly backend: Backend;
  /** Starts an agent over stdio that works in a project. @param cwd its folder; by default the shared one */
  agent(project: string, cwd?: string): Promise<Newcomer>;
  /** Sends a request to the backend over REST. */
  get(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts a backend, and agents whose users come from another memory server; each agent is a real MCP client over stdio.
 */
export async function openNewcomers(env: NodeJS.ProcessEnv = {}): Promise<Newcomers> {
  const backend = await startBackend({ env });
  const ends: (() => Promise<unknown>)[] = [];
  // Each client lists tools by its own setting, so it gets the variable too.
  const toolSet = env.CHEST_TOOL_SET;
  return {
    backend,
    async get(path) {
      const headers = { authorization: `Bearer ${backend.token}` };
      return (await fetch(`${backend.url}${path}`, { headers })).json();
    },
    async agent(project, cwd) {
      const remote = { CHEST_MODE: "remote", CHEST_REMOTE_URL: backend.url, CHEST_API_TOKEN: backend.token };
      const { client, stop } = await connectStdioClient({
        env: { ...remote, CHEST_PROJECT: project, ...(toolSet && { CHEST_TOOL_SET: toolSet }) },
        ...(cwd && { cwd }),
      });
      ends.push(stop);
      const call = async (name: string, input: object = {}) => {
        const answer = await client.callTool({ name, arguments: { ...input } });
        const [part] = answer.content as { text?: string }[];
        return { isError: answer.isError === true, text: part?.text ?? "", structured: answer.structuredContent };
      };
      const use = async (name: string, input?: object): Promise<Answer> => {
        const { isError, text, structured } = await call(name, input);
        expect(isError, text).toBe(false);
        return structured;
      };
      return {
        use,
        async refused(name, input) {
          const { isError, text } = await call(name, input);
          expect(isError, text).toBe(true);
          return text;
        },
        text: async (name, input) => (await call(name, input)).text,
        async read(uri) {
          const [content] = (await client.readResource({ uri })).contents;
          return JSON.parse((content as { text: string }).text);
        },
        async prompt(name, given = {}) {
          const { messages } = await client.getPrompt({ name, arguments: { ...given } });
          const [first] = messages;
          return first?.content.type === "text" ? first.content.text : "";
        },
        async offers() {
          const [{ prompts }, { resources }, { tools }] = await Promise.all([
            client.listPrompts(),
            client.listResources(),
            client.listTools(),
          ]);
          return {
            prompts: prompts.map(({ name }) => name),
            resources: resources.map(({ uri }) => uri),
            tools: tools.map(({ name }) => name),
          };
        },
        store: async (content, over) =>
          (await use("chest_remember", { content, layer: "learning", ...over })).memory_id,
      };
    },
    async stop() {
      for (const end of ends) await end();
      await backend.stop();
    },
  };
}
