import { resolve } from "node:path";
import { absolutePath, type Env } from "@chest/runtime";
import { dataDirOf, readClientProfile } from "@chest/runtime/profile";
import { claudeVersion } from "../../agents/claude/claude-version.ts";
import { settingsFile } from "../../agents/claude/folder.ts";
import { installHooks, removeHooks } from "../../agents/claude/install-hooks.ts";
import { shippedHookProgram } from "../../agents/claude/shipped.ts";
import { AGENT_CLIENTS, CLAUDE_CODE } from "../../agents/clients.ts";
import { hasAgentHooks, removeAgentHooks } from "../../agents/hooks/agent-hooks.ts";
import { installLauncher, programFor } from "../../agents/launcher.ts";
import { writeProfile } from "../../agents/profile.ts";
import { connectHooks } from "../../agents/setup.ts";
import { documentOf, exitCodeOf, type Step, sayStep } from "../../agents/step.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

export const installHooksCommand = ownCommand({
  meta: { name: "install-hooks", description: "Register hooks, so that Claude Code recalls and saves automatically" },
  args: {
    "data-dir": { type: "string", description: "Chest's folder; CHEST_DATA_DIR otherwise", valueHint: "folder" },
    "db-path": { type: "string", description: "The store on this machine, if it is elsewhere", valueHint: "file" },
    client: {
      type: "string",
      description:
        "Install them for this agent, as `setup` does: codex, gemini, copilot, cursor, opencode, windsurf, cline",
      valueHint: "name",
    },
    settings: { type: "string", description: "Claude Code's settings, if they are elsewhere", valueHint: "file" },
    remove: { type: "boolean", description: "Remove them; memories stay" },
    "dry-run": { type: "boolean", description: "Show what would happen, change nothing" },
  },
  async run(args, { env, output }) {
    const isDry = args["dry-run"] ?? false;
    const settings = args.settings ? resolve(args.settings) : settingsFile(env);
    const dataDir = args["data-dir"] ? absolutePath(args["data-dir"]) : dataDirOf(env);
    const other = args.client === CLAUDE_CODE.name ? undefined : args.client;
    const steps = other
      ? await forAgent(other, env, { dataDir, isDry, isRemoved: args.remove ?? false })
      : args.remove
        ? await removeHooks({ settings, dataDir, isDry })
        : await install(env, { settings, dataDir, dbPath: args["db-path"], isDry });
    for (const step of steps) sayStep(output, step, isDry);
    output.document(documentOf(steps, isDry));
    return exitCodeOf(steps);
  },
});

interface AgentTarget {
  readonly dataDir: string;
  readonly isDry: boolean;
  readonly isRemoved: boolean;
}

async function forAgent(name: string, env: Env, { isRemoved, ...where }: AgentTarget): Promise<Step[]> {
  const client = AGENT_CLIENTS.find((known) => known.name === name);
  if (!client || !hasAgentHooks(name))
    throw new UsageError(`\`--client ${name.slice(0, 80)}\` is no agent with hooks`, "leave it out for Claude Code");
  if (isRemoved) return removeAgentHooks(name, { env, ...where });
  const profile = readClientProfile(where.dataDir) ?? { mode: "local" };
  const launcher = await installLauncher({ env, ...where, mode: profile.mode });
  return [...launcher, ...(await connectHooks(client, profile.mode, { env, ...where }))];
}

interface HookTarget {
  readonly settings: string;
  readonly dataDir: string;
  readonly dbPath: string | undefined;
  readonly isDry: boolean;
}

async function install(env: Env, { settings, dataDir, dbPath, isDry }: HookTarget): Promise<Step[]> {
  // The profile is checked before anything is written.
  const profile = readClientProfile(dataDir) ?? { mode: "local" };
  const hooks = await installHooks({
    settings,
    dataDir,
    node: await programFor({ env, dataDir, mode: profile.mode }),
    claudeVersion: await claudeVersion(env),
    isDry,
    program: shippedHookProgram(),
  });
  // Settings that cannot be edited stop the command before anything is written.
  const steps = [...(await installLauncher({ env, dataDir, isDry, mode: profile.mode })), ...hooks];
  if (dbPath === undefined) return steps;
  return [...steps, await writeProfile(dataDir, { ...profile, db_path: absolutePath(dbPath) }, isDry)];
}
