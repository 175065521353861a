/**
 * Text of the plugin that OpenCode loads: it tells the hook program of each moment, and adds what that answers. The first
 * release calls `server`, the second `setup`; each ignores the other.
 */
export const opencodePlugin = (
  words: readonly string[],
  tools: string,
): string => `// Made by chest-index setup, which replaces and removes it.
import { spawn } from "node:child_process";

const [PROGRAM, ...ARGS] = ${JSON.stringify(words)};
const TOOLS = /^(?:${tools})$/;
const PATIENCE_MS = 5000;

/** Tells of a moment. Gives what the agent is to read; nothing where anything goes wrong. */
function tell(moment, session_id, cwd, fields) {
  return new Promise((resolve) => {
    let said = "";
    const child = spawn(PROGRAM, [...ARGS, moment, "opencode"], { cwd, stdio: ["pipe", "pipe", "ignore"], timeout: PATIENCE_MS });
    child.on("error", () => resolve(undefined));
    child.stdin.on("error", () => {});
    child.stdout.on("data", (piece) => {
      said += piece;
    });
    child.on("close", () => {
      try {
        resolve(JSON.parse(said).additionalContext);
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.end(JSON.stringify({ session_id, cwd, hook_event_name: moment, ...fields }));
  });
}

const textOf = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\\n");

async function server({ client, directory }) {
  const begun = new Set();
  const ofSubagents = new Set();
  return {
    async event({ event }) {
      const { sessionID, info } = event.properties ?? {};
      if (event.type === "session.created" && info?.parentID) ofSubagents.add(info.id);
      if (event.type !== "session.idle" || !begun.has(sessionID)) return;
      const { data = [] } = await client.session.messages({ path: { id: sessionID } }).catch(() => ({}));
      const last = data.findLast((message) => message.info.role === "assistant");
      await tell("stop", sessionID, directory, { last_assistant_message: last && textOf(last.parts) });
    },
    async "chat.message"({ sessionID }, { message, parts }) {
      if (ofSubagents.has(sessionID)) return;
      const prompt = textOf(parts);
      const told = [];
      if (!begun.has(sessionID)) {
        begun.add(sessionID);
        told.push(await tell("session-start", sessionID, directory, { source: "startup" }));
      }
      told.push(await tell("user-prompt", sessionID, directory, { prompt }));
      for (const [at, text] of told.filter(Boolean).entries()) {
        const id = \`\${parts[0]?.id ?? "prt"}\${at}\`;
        parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
      }
    },
    async "tool.execute.after"({ tool, sessionID, args }, output) {
      if (!TOOLS.test(tool) || !begun.has(sessionID)) return;
      const { exit } = output.metadata ?? {};
      const fields = { tool_name: tool, tool_input: args, tool_output: output.output, exit };
      const context = await tell("post-tool", sessionID, directory, fields);
      if (context) output.output += \`\\n\\n\${context}\`;
    },
    async "experimental.session.compacting"({ sessionID }) {
      if (begun.has(sessionID)) await tell("pre-compact", sessionID, directory, {});
    },
    async dispose() {
      await Promise.all([...begun].map((session) => tell("session-end", session, directory, { reason: "exit" })));
    },
  };
}

const ENDS = /^session\\.execution\\.(?:succeeded|failed|interrupted)$/;

/** OpenCode 2. A hook that fails would fail what it is called for, so none does. */
async function setup(ctx) {
  const folders = new Map();
  const shown = new Map();
  const subscription = new AbortController();
  const safely = (work) => async (event) => {
    try {
      await work(event);
    } catch {}
  };
  /** The session's folder; undefined for a subagent's session. */
  const begin = async (sessionID) => {
    const { parentID, location } = (await ctx.session.get({ sessionID })) ?? {};
    const folder = parentID ? undefined : (location?.directory ?? ctx.location?.directory ?? process.cwd());
    folders.set(sessionID, folder);
    return folder;
  };
  await ctx.session.hook("prompt", safely(async ({ sessionID, messageID, prompt }) => {
    const isNew = !folders.has(sessionID);
    const folder = isNew ? await begin(sessionID) : folders.get(sessionID);
    if (!folder) return;
    const told = isNew ? [await tell("session-start", sessionID, folder, { source: "startup" })] : [];
    told.push(await tell("user-prompt", sessionID, folder, { prompt: prompt.text }));
    const texts = told.filter(Boolean);
    if (texts.length > 0) shown.set(sessionID, new Map(shown.get(sessionID)).set(messageID, texts));
  }));
  // OpenCode builds each request from stored messages, which lack our texts, so they are added each time.
  await ctx.session.hook("context", safely(({ sessionID, messages }) => {
    const ofSession = shown.get(sessionID);
    if (!ofSession) return;
    for (const [at, message] of messages.entries()) {
      const texts = ofSession.get(message.id);
      if (!texts) continue;
      const content = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
      const parts = texts.map((text) => ({ type: "text", text }));
      messages[at] = Object.assign(Object.create(Object.getPrototypeOf(message)), message, { content: [...content, ...parts] });
    }
  }));
  await ctx.session.hook("compaction", safely(async ({ sessionID }) => {
    const folder = folders.get(sessionID);
    if (folder) await tell("pre-compact", sessionID, folder, {});
  }));
  await ctx.tool.hook("execute.after", safely(async (event) => {
    const { tool, sessionID, input, result, error } = event;
    const folder = folders.get(sessionID);
    if (!folder || !TOOLS.test(tool)) return;
    const content = typeof result?.content === "string" ? [{ type: "text", text: result.content }] : (result?.content ?? []);
    const exit = error ? 1 : (result?.metadata?.exit ?? result?.output?.exit);
    const fields = { tool_name: tool, tool_input: input, tool_output: error ? error.message : textOf(content), exit };
    const context = await tell("post-tool", sessionID, folder, fields);
    if (context && result) event.result = { ...result, content: [...content, { type: "text", text: context }] };
  }));
  const follow = async () => {
    for await (const { type, data } of ctx.event.subscribe({ signal: subscription.signal })) {
      const folder = ENDS.test(type) && folders.get(data?.sessionID);
      if (!folder) continue;
      const messages = await ctx.session.context({ sessionID: data.sessionID }).catch(() => []);
      const last = messages.findLast((message) => message.type === "assistant");
      await tell("stop", data.sessionID, folder, { last_assistant_message: last && textOf(last.content) });
    }
  };
  follow().catch(() => {});
  return async () => {
    subscription.abort();
    const open = [...folders].filter(([, folder]) => folder);
    await Promise.all(open.map(([session, folder]) => tell("session-end", session, folder, { reason: "exit" })));
  };
}

export default { id: "chest-memory", server, setup };
`;
