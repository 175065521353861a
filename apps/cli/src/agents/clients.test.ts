import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AGENT_CLIENTS, fileOf, installedAgents } from "./clients.ts";

const platform = process.platform;
const on = (name: NodeJS.Platform) => Object.defineProperty(process, "platform", { value: name });

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-clients-"));
});
afterEach(() => {
  on(platform);
  rmSync(root, { recursive: true });
});

const named = (name: string) => {
  const client = AGENT_CLIENTS.find((known) => known.name === name);
  if (!client) throw new Error(`no ${name}`);
  return client;
};

/** As their makers document it, below the home folder and `%APPDATA%`. */
describe.each([
  ["claude-code", ".claude.json", ".claude.json", ".claude.json"],
  ["cursor", ".cursor/mcp.json", ".cursor/mcp.json", ".cursor/mcp.json"],
  ["codex", ".codex/config.toml", ".codex/config.toml", ".codex/config.toml"],
  [
    "vscode",
    ".config/Code/User/mcp.json",
    "Library/Application Support/Code/User/mcp.json",
    "%APPDATA%/Code/User/mcp.json",
  ],
  [
    "claude-desktop",
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "%APPDATA%/Claude/claude_desktop_config.json",
  ],
  ["gemini", ".gemini/settings.json", ".gemini/settings.json", ".gemini/settings.json"],
  ["windsurf", ".config/devin/mcp_config.json", ".config/devin/mcp_config.json", "%APPDATA%/devin/mcp_config.json"],
  ["opencode", ".config/opencode/opencode.json", ".config/opencode/opencode.json", ".config/opencode/opencode.json"],
  ["zed", ".config/zed/settings.json", ".config/zed/settings.json", "%APPDATA%/Zed/settings.json"],
  [
    "cline",
    ".cline/data/settings/cline_mcp_settings.json",
    ".cline/data/settings/cline_mcp_settings.json",
    ".cline/data/settings/cline_mcp_settings.json",
  ],
  ["antigravity", ".gemini/config/mcp_config.json", ".gemini/config/mcp_config.json", ".gemini/config/mcp_config.json"],
])("%s", (name, onLinux, onMac, onWindows) => {
  it.each([
    ["linux", onLinux],
    ["darwin", onMac],
    ["win32", onWindows],
  ] as const)("keeps its servers where its makers say it does, on %s", (system, place) => {
    on(system);
    const [present] = named(name).files({ APPDATA: "/roaming" });
    expect(present).toBe(
      place.startsWith("%APPDATA%") ? place.replace("%APPDATA%", "/roaming") : join(homedir(), place),
    );
  });
});

it("goes by the variables that name other places", () => {
  const env = {
    CODEX_HOME: "/c",
    CLAUDE_CONFIG_DIR: "/cc",
    XDG_CONFIG_HOME: "/x",
    CLINE_DATA_DIR: "/cl",
  };
  const places = ["codex", "claude-code", "opencode", "vscode", "cline"].map((name) => named(name).files(env)[0]);
  expect(places).toEqual([
    "/c/config.toml",
    "/cc/.claude.json",
    "/x/opencode/opencode.json",
    "/x/Code/User/mcp.json",
    "/cl/settings/cline_mcp_settings.json",
  ]);
  expect(named("cline").files({ ...env, CLINE_MCP_SETTINGS_PATH: "/mine.json" })).toEqual(["/mine.json"]);
});

it("takes the file that is there of several of one folder", () => {
  const env = { XDG_CONFIG_HOME: root };
  mkdirSync(join(root, "opencode"));
  writeFileSync(join(root, "opencode/opencode.jsonc"), "{}");
  expect(fileOf(named("opencode"), env)).toBe(join(root, "opencode/opencode.jsonc"));
  writeFileSync(join(root, "opencode/opencode.json"), "{}");
  expect(fileOf(named("opencode"), env)).toBe(join(root, "opencode/opencode.json"));
});

it("finds an agent by its program, and by what it keeps", () => {
  const none = { PATH: root, CODEX_HOME: join(root, "codex"), XDG_CONFIG_HOME: root };
  const names = () => installedAgents(none).map(({ name }) => name);
  expect(names()).not.toEqual(expect.arrayContaining(["codex"]));
  expect(names()).not.toEqual(expect.arrayContaining(["opencode"]));
  mkdirSync(join(root, "codex"));
  writeFileSync(join(root, "opencode"), "#!/bin/sh\n", { mode: 0o755 });
  expect(names()).toEqual(expect.arrayContaining(["codex", "opencode"]));
});
