import { chmodSync, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Env } from "@chest/runtime";
import { type Host, type HostEvent, hostOf } from "@chest/runtime/hosts";
import { hookCommand } from "../claude/hook-command.ts";
import { HOOK_TIMEOUT_S } from "../claude/hook-events.ts";
import { findOurs } from "../claude/hook-settings.ts";
import { hookFileIn, registerHooks } from "../claude/install-hooks.ts";
import { devinFolder } from "../clients.ts";
import { type ConfigurationOptions, editConfiguration, editOwn, noteOn } from "../created-files.ts";
import type { Step } from "../step.ts";
import { editFlatHooks, type FlatHook, hasFlatHooks } from "./flat-hooks.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export interface AgentHooksOptions extends ConfigurationOptions {
  readonly env: Env;
}

/** Way in which an agent registers hooks. */
interface HookForm {
  install(host: Host, node: string, options: AgentHooksOptions): Promise<Step[]>;
  remove(host: Host, options: AgentHooksOptions): Promise<Step[]>;
  has(env: Env): boolean;
}

const inHome = (...parts: readonly string[]) => join(homedir(), ...parts);
const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const commandOf = ({ dataDir }: ConfigurationOptions, node: string, { moment }: HostEvent, { name }: Host): string =>
  hookCommand(node, hookFileIn(dataDir), moment, name);

/** Hooks in a file with the form of Claude Code's settings. @param perSecond units of its time limits in a second */
const nested = (fileOf: (env: Env) => string, perSecond = 1): HookForm => ({
  install: (host, node, options) =>
    registerHooks(
      { ...options, settings: fileOf(options.env) },
      host.events.map((each) => ({
        event: each.event,
        matcher: each.matcher ?? "",
        command: commandOf(options, node, each, host),
        timeout: (each.timeoutS ?? HOOK_TIMEOUT_S) * perSecond,
      })),
    ),
  remove: (_, options) => registerHooks({ ...options, settings: fileOf(options.env) }, []),
  has: (env) => findOurs(textOf(fileOf(env)), fileOf(env)).length > 0,
});

/** Hooks in a file with a list of handlers for each event. @param handlerOf makes a handler in the agent's form */
const flat = (
  fileOf: (env: Env) => string,
  handlerOf: (command: string, event: HostEvent) => FlatHook["handler"],
  base?: string,
): HookForm => {
  const edit = async (wanted: readonly FlatHook[], options: AgentHooksOptions): Promise<Step[]> => {
    const path = fileOf(options.env);
    let result = editFlatHooks(textOf(path), wanted, path, base);
    const outcome = await editConfiguration(
      path,
      (text) => {
        result = editFlatHooks(text, wanted, path, base);
        return result.text;
      },
      options,
    );
    const note = noteOn(outcome, result.text);
    if (result.actions.length === 0)
      return [{ step: "hooks", outcome: outcome === "absent" ? outcome : "unchanged", path, note: "none of ours" }];
    return result.actions.map(({ event, outcome: done }, at) => ({
      step: `hook ${event}`,
      outcome: done,
      path,
      ...(note && at === result.actions.length - 1 ? { note } : {}),
    }));
  };
  return {
    install: (host, node, options) =>
      edit(
        host.events.map((each) => ({
          event: each.event,
          handler: handlerOf(commandOf(options, node, each, host), each),
        })),
        options,
      ),
    remove: (_, options) => edit([], options),
    has: (env) => hasFlatHooks(textOf(fileOf(env)), fileOf(env)),
  };
};

interface OwnFile {
  readonly path: string;
  readonly text: string;
}

/** Hooks in files of our own in a folder that the agent reads. A file of that name that is not ours stays as it is. */
const ownFiles = (
  paths: (env: Env) => readonly string[],
  textsOf: (host: Host, node: string, options: AgentHooksOptions) => readonly OwnFile[],
  { isProgram = false } = {},
): HookForm => {
  const isOurs = (path: string) => textOf(path)?.includes("chest-hook.mjs") ?? true;
  const left = (path: string): Step => ({
    step: "hooks",
    outcome: "left",
    path,
    note: "a hook of another program is there",
  });
  return {
    async install(of, node, options) {
      const steps: Step[] = [];
      for (const { path, text } of textsOf(of, node, options)) {
        if (!isOurs(path)) steps.push(left(path));
        else {
          steps.push({ step: "hooks", outcome: await editOwn(path, () => text, options), path });
          if (isProgram && !options.isDry) chmodSync(path, 0o700);
        }
      }
      return steps;
    },
    async remove(_, options) {
      const steps: Step[] = [];
      for (const path of paths(options.env).filter((each) => existsSync(each) && isOurs(each)))
        steps.push({ step: "hooks", outcome: await editOwn(path, () => undefined, options), path });
      return steps;
    },
    has: (env) => paths(env).some((path) => existsSync(path) && isOurs(path)),
  };
};

const codexFile = ({ CODEX_HOME }: Env): string =>
  join(CODEX_HOME ? resolve(CODEX_HOME) : inHome(".codex"), "hooks.json");
const copilotFile = ({ COPILOT_HOME }: Env): string =>
  join(COPILOT_HOME ? resolve(COPILOT_HOME) : inHome(".copilot"), "hooks", "chest-memory.json");
const pluginFile = ({ XDG_CONFIG_HOME }: Env): string =>
  join(XDG_CONFIG_HOME || inHome(".config"), "opencode", "plugins", "chest-memory.js");

const clineFile = (event: string): string => inHome("Documents", "Cline", "Hooks", event);

/** A form with that of another agent, whose program may be there beside it. */
const beside = (form: HookForm, name: string, other: HookForm, isThere: (env: Env) => boolean): HookForm => ({
  async install(host, node, options) {
    const [steps, companion] = [await form.install(host, node, options), hostOf(name)];
    return companion && isThere(options.env) ? [...steps, ...(await other.install(companion, node, options))] : steps;
  },
  async remove(host, options) {
    const [steps, companion] = [await form.remove(host, options), hostOf(name)];
    return companion && other.has(options.env) ? [...steps, ...(await other.remove(companion, options))] : steps;
  },
  has: (env) => form.has(env) || other.has(env),
});

const FORMS: Readonly<Record<string, HookForm>> = {
  codex: nested(codexFile),
  gemini: nested(({ GEMINI_CLI_HOME }) => join(GEMINI_CLI_HOME || homedir(), ".gemini", "settings.json"), 1000),
  cursor: flat(
    () => inHome(".cursor", "hooks.json"),
    (command, { matcher }) => ({ command, timeout: HOOK_TIMEOUT_S, ...(matcher ? { matcher } : {}) }),
    '{ "version": 1 }',
  ),
  windsurf: beside(
    flat(
      () => inHome(".codeium", "windsurf", "hooks.json"),
      (command) => ({ command, show_output: false }),
    ),
    "devin",
    nested((env) => join(devinFolder(env), "config.json")),
    (env) => existsSync(devinFolder(env)),
  ),
  copilot: ownFiles(
    (env) => [copilotFile(env)],
    (host, node, options) => [{ path: copilotFile(options.env), text: copilotHooks(host, node, options) }],
  ),
  opencode: ownFiles(
    (env) => [pluginFile(env)],
    (host, node, options) => {
      const tools = host.events.find(({ matcher }) => matcher)?.matcher ?? "";
      return [{ path: pluginFile(options.env), text: opencodePlugin([node, hookFileIn(options.dataDir)], tools) }];
    },
  ),
  cline: ownFiles(
    () => hostOf("cline")?.events.map(({ event }) => clineFile(event)) ?? [],
    (host, node, options) =>
      host.events.map((each) => ({
        path: clineFile(each.event),
        text: `#!/bin/sh\nexec ${commandOf(options, node, each, host)}\n`,
      })),
    { isProgram: true },
  ),
};

function copilotHooks(host: Host, node: string, options: AgentHooksOptions): string {
  const hooks = host.events.map((each) => {
    const command = commandOf(options, node, each, host);
    const { matcher } = each;
    return [
      each.event,
      [
        {
          type: "command",
          bash: command,
          powershell: `& ${command}`,
          timeoutSec: HOOK_TIMEOUT_S,
          ...(matcher ? { matcher } : {}),
        },
      ],
    ];
  });
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, undefined, 2)}\n`;
}

/** Agents beside Claude Code that have hooks which Chest installs. */
export const hasAgentHooks = (name: string): boolean => Object.hasOwn(FORMS, name);

/** Registers the hook program for every event of an agent; nothing where it has no hooks. */
export async function installAgentHooks(name: string, node: string, options: AgentHooksOptions): Promise<Step[]> {
  const [form, host] = [FORMS[name], hostOf(name)];
  return form && host ? form.install(host, node, options) : [];
}

/** Removes our hooks from an agent. A file that cannot be read stays as it is, and is reported. */
export async function removeAgentHooks(name: string, options: AgentHooksOptions): Promise<Step[]> {
  const [form, host] = [FORMS[name], hostOf(name)];
  return form && host ? form.remove(host, options) : [];
}

/** Whether hooks of ours are installed in an agent; a file that cannot be read may hold some. */
export function hasHooksOfOurs(name: string, env: Env): boolean {
  try {
    return FORMS[name]?.has(env) ?? false;
  } catch {
    return true;
  }
}
