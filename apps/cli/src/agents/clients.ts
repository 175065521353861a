import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Env } from "@chest/runtime";
import { claudeUserFile } from "./claude/folder.ts";

/** An agent that can be told of our server, and where it keeps what it is told. */
export interface AgentClient {
  readonly name: string;
  readonly title: string;
  readonly format: "json" | "toml";
  /** The key that holds its servers. */
  readonly key: string;
  /** Whether an entry states how the server is spoken to. */
  readonly statesType: boolean;
  /** Whether it is started from a desktop, and so without the path of the user's shell. */
  readonly isDesktop?: boolean;
  file(env: Env): string;
}

const inHome = (...parts: readonly string[]) => join(homedir(), ...parts);

/** Folder where programs of this platform keep their settings. */
function settingsFolder({ APPDATA, XDG_CONFIG_HOME }: Env): string {
  if (process.platform === "win32") return APPDATA || inHome("AppData", "Roaming");
  if (process.platform === "darwin") return inHome("Library", "Application Support");
  return XDG_CONFIG_HOME || inHome(".config");
}

export const CLAUDE_CODE: AgentClient = {
  name: "claude-code",
  title: "Claude Code",
  format: "json",
  key: "mcpServers",
  statesType: true,
  file: claudeUserFile,
};

export const AGENT_CLIENTS: readonly AgentClient[] = [
  CLAUDE_CODE,
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    key: "mcp_servers",
    statesType: false,
    file: ({ CODEX_HOME }) => join(CODEX_HOME ? resolve(CODEX_HOME) : inHome(".codex"), "config.toml"),
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    key: "mcpServers",
    statesType: false,
    file: () => inHome(".cursor", "mcp.json"),
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    key: "servers",
    statesType: true,
    file: (env) => join(settingsFolder(env), "Code", "User", "mcp.json"),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    statesType: false,
    file: () => inHome(".gemini", "settings.json"),
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    statesType: false,
    isDesktop: true,
    file: (env) => join(settingsFolder(env), "Claude", "claude_desktop_config.json"),
  },
];
