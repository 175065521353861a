// biome-ignore lint/style/noRestrictedImports: what packs the programs is beside them, not above.
import { HOOK_EVENTS, HOOK_TIMEOUT_S } from "../../apps/cli/src/agents/claude/hook-events.ts";
import { type About, clientEnv, filledIn, SETTINGS } from "./about.ts";

type Files = Readonly<Record<string, object | string>>;

const TITLE = "Chest";
const plain = ({ name, version, description, license, keywords, owner }: About) => ({
  name,
  version,
  description,
  author: { name: owner },
  license,
  keywords,
});

/** Marketplace of one plugin: hooks, skill and the stdio client, before a backend whose address is asked for. */
export function claudeCodePlugin(about: About): Files {
  const { name, version, description, owner } = about;
  const { address, token_file } = SETTINGS;
  return {
    ".claude-plugin/marketplace.json": {
      name: "chest",
      owner: { name: owner },
      metadata: { description, version },
      plugins: [{ name, source: `./${name}`, description, version, category: "productivity" }],
    },
    [`${name}/.claude-plugin/plugin.json`]: {
      ...plain(about),
      userConfig: {
        address: { type: "string", ...address, required: true },
        token_file: { type: "file", ...token_file, required: true },
      },
      mcpServers: {
        [name]: {
          command: "node",
          args: [`${filledIn("CLAUDE_PLUGIN_ROOT")}/server/chest-memory.js`],
          env: clientEnv(filledIn("user_config.address"), filledIn("user_config.token_file")),
        },
      },
    },
    [`${name}/hooks/hooks.json`]: { description: "Shows what the team knows, when it matters", hooks: hooks() },
  };
}

function hooks() {
  const entries = HOOK_EVENTS.map(({ event, argument, matcher }) => {
    const command = `node "${filledIn("CLAUDE_PLUGIN_ROOT")}/hooks/hook.mjs" ${argument}`;
    const hook = { type: "command", command, timeout: HOOK_TIMEOUT_S };
    return [event, [{ ...(matcher ? { matcher } : {}), hooks: [hook] }]] as const;
  });
  return Object.fromEntries(entries);
}

/** The published client, for hosts whose plugins carry no settings: the address comes from their environment. */
const fromEnvironment = (name: string, version: string) => ({
  command: "npx",
  args: ["-y", `${name}@${version}`],
});

/** Codex passes to a server only the variables that are named. */
export function codexPlugin(about: About): Files {
  const { name, version, description } = about;
  return {
    ".agents/plugins/marketplace.json": {
      name: "chest",
      interface: { displayName: TITLE },
      plugins: [
        {
          name,
          source: { source: "local", path: `./${name}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    },
    [`${name}/.codex-plugin/plugin.json`]: {
      ...plain(about),
      skills: "./skills/",
      mcpServers: "./.mcp.json",
      interface: { displayName: TITLE, shortDescription: description, category: "Productivity" },
    },
    [`${name}/.mcp.json`]: {
      mcpServers: {
        [name]: {
          ...fromEnvironment(name, version),
          env: { CHEST_MODE: "remote" },
          env_vars: ["CHEST_REMOTE_URL", "CHEST_API_TOKEN_FILE", "CHEST_API_TOKEN"],
        },
      },
    },
  };
}

export function cursorPlugin(about: About, rule: string): Files {
  const { name, version, description, owner } = about;
  return {
    ".cursor-plugin/marketplace.json": {
      name: "chest",
      owner: { name: owner },
      metadata: { description },
      plugins: [{ name, source: name, description }],
    },
    [`${name}/.cursor-plugin/plugin.json`]: { ...plain(about), displayName: TITLE },
    [`${name}/mcp.json`]: {
      mcpServers: {
        [name]: {
          ...fromEnvironment(name, version),
          env: {
            CHEST_MODE: "remote",
            CHEST_REMOTE_URL: filledIn("env:CHEST_REMOTE_URL"),
            CHEST_API_TOKEN_FILE: filledIn("env:CHEST_API_TOKEN_FILE"),
          },
        },
      },
    },
    [`${name}/rules/${name}.mdc`]: `---\ndescription: ${TITLE}\nalwaysApply: true\n---\n\n${rule}`,
  };
}
