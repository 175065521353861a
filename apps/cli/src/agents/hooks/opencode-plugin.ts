/** Text of the plugin that OpenCode loads: it tells the hook program of each moment, and adds what that answers. */
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

export const ChestMemory = async ({ client, directory }) => {
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
};
`;
