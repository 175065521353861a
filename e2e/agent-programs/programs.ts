import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Home } from "../support/deployment/installation.ts";
import type { Answer } from "./scripted-model.ts";

/** An agent that a test runs as its users do, with a scripted model. */
export interface AgentProgram {
  /** The agent's name for `setup --client`, and its command. */
  readonly name: string;
  /**
   * Writes the agent's settings with the model's address. Called before `setup`, since users install the agent first.
   */
  configure(home: Home, model: string): Promise<NodeJS.ProcessEnv>;
  /** Arguments that run one prompt without a terminal and with all permissions. */
  words(prompt: string): readonly string[];
  /** The model's request to run a command. */
  runs(command: string): Answer;
}

async function write(home: Home, file: string, text: string): Promise<void> {
  await mkdir(join(home.path(file), ".."), { recursive: true });
  await writeFile(home.path(file), text);
}

export const PROGRAMS: readonly AgentProgram[] = [
  {
    name: "codex",
    async configure(home, model) {
      const provider = `[model_providers.s]\nname = "s"\nbase_url = "${model}/v1"\nwire_api = "responses"\n`;
      await write(home, ".codex/config.toml", `model = "scripted"\nmodel_provider = "s"\n\n${provider}`);
      return {};
    },
    // The agent asks its user once, in `/hooks`, to trust the hooks.
    words: (prompt) => [
      "exec",
      "--dangerously-bypass-hook-trust",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      prompt,
    ],
    runs: (cmd) => ({ tool: "exec_command", input: { cmd } }),
  },
  {
    name: "gemini",
    async configure(home, model) {
      const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
      await write(home, ".gemini/settings.json", JSON.stringify(settings));
      return {
        GEMINI_API_KEY: "x".repeat(20),
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      };
    },
    words: (prompt) => ["--yolo", "-m", "gemini-2.5-flash", "-p", prompt],
    runs: (command) => ({ tool: "run_shell_command", input: { command } }),
  },
  {
    name: "copilot",
    async configure(home, model) {
      await mkdir(home.path(".copilot"), { recursive: true });
      return {
        COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
        COPILOT_MODEL: "scripted",
        COPILOT_OFFLINE: "true",
        COPILOT_AUTO_UPDATE: "false",
      };
    },
    words: (prompt) => ["--allow-all-tools", "--allow-all-paths", "-p", prompt],
    runs: (command) => ({ tool: "bash", input: { command, description: "run it" } }),
  },
  {
    name: "opencode",
    async configure(home, model) {
      const models = { scripted: { name: "scripted", tool_call: true, limit: { context: 100_000, output: 4000 } } };
      const options = { baseURL: `${model}/v1`, apiKey: "x" };
      const settings = {
        model: "s/scripted",
        small_model: "s/scripted",
        provider: { s: { npm: "@ai-sdk/openai-compatible", name: "s", options, models } },
        permission: { bash: "allow", edit: "allow", external_directory: "allow" },
      };
      await write(home, ".config/opencode/opencode.json", JSON.stringify(settings));
      return { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
    },
    words: (prompt) => ["run", prompt],
    runs: (command) => ({ tool: "bash", input: { command, description: "run it" } }),
  },
];
