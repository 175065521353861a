import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Env } from "@chest/runtime";
import { findProgram } from "@chest/runtime/programs";
import { claudeFolder, claudeUserFile } from "./claude/folder.ts";
import { type EntryForm, OPENCODE_ENTRY, opencodeTables } from "./opencode.ts";
import { isRecord } from "./settings-files/jsonc.ts";

/** GitHub Copilot CLI calls a server on stdio `local`, and lists the tools that it may use. */
const COPILOT_ENTRY: EntryForm = {
  read(entry) {
    if (!isRecord(entry)) return entry;
    const { type: _, tools: __, ...others } = entry;
    return others;
  },
  write: (entry) => ({ type: "local", ...entry, tools: ["*"] }),
};

/** An agent program that `setup` can connect, and the place of its configuration. */
export interface AgentClient {
  readonly name: string;
  readonly title: string;
  readonly format: "json" | "toml";
  /** Keys under which a configuration lists servers; new servers go under the first. */
  tables(configuration: Readonly<Record<string, unknown>>): readonly (readonly string[])[];
  /** Whether an entry states how the server is spoken to. */
  readonly statesType: boolean;
  /** Form of an entry, if it is not `command`, `args` and `env`. */
  readonly entry?: EntryForm;
  /** Configuration files: today's place first, then those of older releases. */
  files(env: Env): readonly [string, ...string[]];
  /** Programs and paths, each of which shows that it is installed. */
  readonly programs: readonly string[];
  traces(env: Env): readonly string[];
}

const inHome = (...parts: readonly string[]) => join(homedir(), ...parts);

/** The folder in which programs of this platform keep their settings. */
function settingsFolder({ APPDATA, XDG_CONFIG_HOME }: Env): string {
  if (process.platform === "win32") return APPDATA || inHome("AppData", "Roaming");
  if (process.platform === "darwin") return inHome("Library", "Application Support");
  return XDG_CONFIG_HOME || inHome(".config");
}

/** Folder for the configuration of programs that use `~/.config` on macOS as well. */
function configFolder(env: Env): string {
  return process.platform === "darwin" ? inHome(".config") : settingsFolder(env);
}

const codexFolder = ({ CODEX_HOME }: Env): string => (CODEX_HOME ? resolve(CODEX_HOME) : inHome(".codex"));

const geminiSettings = ({ GEMINI_CLI_HOME }: Env): string =>
  join(GEMINI_CLI_HOME || homedir(), ".gemini", "settings.json");

const copilotFolder = ({ COPILOT_HOME }: Env): string => (COPILOT_HOME ? resolve(COPILOT_HOME) : inHome(".copilot"));

/** Settings of an extension of VS Code. */
const clineInCode = (env: Env): string =>
  join(settingsFolder(env), "Code", "User", "globalStorage", "saoudrizwan.claude-dev");

const clineData = ({ CLINE_DIR, CLINE_DATA_DIR }: Env): string =>
  CLINE_DATA_DIR || join(CLINE_DIR || inHome(".cline"), "data");

/** Settings of the Devin CLI, which Devin Desktop reads as well. */
export const devinFolder = (env: Env): string =>
  process.platform === "win32" ? join(settingsFolder(env), "devin") : inHome(".config", "devin");

const MCP_SERVERS = () => [["mcpServers"]];

export const CLAUDE_CODE: AgentClient = {
  name: "claude-code",
  title: "Claude Code",
  format: "json",
  tables: MCP_SERVERS,
  statesType: true,
  files: (env) => [claudeUserFile(env)],
  programs: ["claude"],
  traces: (env) => [claudeFolder(env), claudeUserFile(env)],
};

/** Every agent that `setup` knows; docs/setup.md names the page on which each one documents its file. */
export const AGENT_CLIENTS: readonly AgentClient[] = [
  CLAUDE_CODE,
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: () => [inHome(".cursor", "mcp.json")],
    programs: ["cursor", "cursor-agent"],
    traces: () => [inHome(".cursor")],
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    tables: () => [["mcp_servers"]],
    statesType: false,
    files: (env) => [join(codexFolder(env), "config.toml")],
    programs: ["codex"],
    traces: (env) => [codexFolder(env)],
  },
  {
    name: "copilot",
    title: "GitHub Copilot CLI",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    entry: COPILOT_ENTRY,
    files: (env) => [join(copilotFolder(env), "mcp-config.json")],
    programs: ["copilot"],
    traces: (env) => [copilotFolder(env)],
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    tables: () => [["servers"]],
    statesType: true,
    files: (env) => [join(settingsFolder(env), "Code", "User", "mcp.json")],
    programs: ["code"],
    traces: (env) => [join(settingsFolder(env), "Code")],
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: (env) => [join(settingsFolder(env), "Claude", "claude_desktop_config.json")],
    programs: ["claude-desktop"],
    traces: (env) => [join(settingsFolder(env), "Claude")],
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: (env) => [geminiSettings(env)],
    programs: ["gemini"],
    traces: (env) => [geminiSettings(env)],
  },
  {
    // Since its release of June 2026 it is called Devin Desktop, and shares its file with the Devin CLI.
    name: "windsurf",
    title: "Windsurf (Devin Desktop)",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: (env) => [join(devinFolder(env), "mcp_config.json"), inHome(".codeium", "windsurf", "mcp_config.json")],
    programs: ["windsurf", "devin"],
    traces: (env) => [inHome(".codeium", "windsurf"), devinFolder(env)],
  },
  {
    name: "opencode",
    title: "OpenCode",
    format: "json",
    tables: opencodeTables,
    statesType: false,
    entry: OPENCODE_ENTRY,
    files: ({ XDG_CONFIG_HOME }) => {
      const folder = join(XDG_CONFIG_HOME || inHome(".config"), "opencode");
      return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
    },
    programs: ["opencode"],
    traces: ({ XDG_CONFIG_HOME }) => [join(XDG_CONFIG_HOME || inHome(".config"), "opencode")],
  },
  {
    name: "zed",
    title: "Zed",
    format: "json",
    tables: () => [["context_servers"]],
    statesType: false,
    files: (env) => [join(configFolder(env), process.platform === "win32" ? "Zed" : "zed", "settings.json")],
    programs: ["zed", "zeditor"],
    traces: (env) => [join(configFolder(env), process.platform === "win32" ? "Zed" : "zed")],
  },
  {
    name: "cline",
    title: "Cline",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: (env) =>
      env.CLINE_MCP_SETTINGS_PATH
        ? [resolve(env.CLINE_MCP_SETTINGS_PATH)]
        : ([clineData(env), clineInCode(env)].map((folder) => join(folder, "settings", "cline_mcp_settings.json")) as [
            string,
            string,
          ]),
    programs: ["cline"],
    traces: (env) => [clineData(env), clineInCode(env)],
  },
  {
    name: "antigravity",
    title: "Antigravity",
    format: "json",
    tables: MCP_SERVERS,
    statesType: false,
    files: () => [inHome(".gemini", "config", "mcp_config.json"), inHome(".gemini", "antigravity", "mcp_config.json")],
    programs: ["agy", "antigravity"],
    traces: () => [inHome(".gemini", "config"), inHome(".gemini", "antigravity"), inHome(".gemini", "antigravity-cli")],
  },
];

/**
 * Finds the configuration file that an agent reads: in its newest folder that exists, an existing file before a missing
 * one. Without any folder it is the file of the present release.
 */
export function fileOf({ files }: AgentClient, env: Env): string {
  const places = files(env);
  const folder = dirname(places.find((place) => existsSync(dirname(place))) ?? places[0]);
  const inFolder = places.filter((place) => dirname(place) === folder);
  return inFolder.find((place) => existsSync(place)) ?? inFolder[0] ?? places[0];
}

/** The agents that are installed on this machine, by their programs and by what they leave there. */
export const installedAgents = (env: Env): AgentClient[] =>
  AGENT_CLIENTS.filter(
    ({ programs, traces }) =>
      programs.some((program) => findProgram(program, env) !== undefined) ||
      traces(env).some((place) => existsSync(place)),
  );
