import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Home, type Installation, install } from "../support/deployment/installation.ts";
import { NODE_24 } from "../support/process.ts";

// These agents need a desktop or an account, so the tests run the registered commands on the events that the agents
// document.

let installation: Installation;
let home: Home;
beforeAll(async () => {
  installation = await install();
  home = await Home.make(installation);
  await mkdir(home.path("work/acme/.git"), { recursive: true });
  await writeFile(home.path("work/acme/.git/config"), '[remote "origin"]\n\turl = https://git.example/acme/acme.git\n');
  await mkdir(home.path(".config/devin"), { recursive: true });
  await writeFile(home.path(".config/devin/config.json"), '// mine\n{ "agent": { "model": "m" } }\n');
  await index("setup", "--yes", "--local", "--client", "cursor,windsurf,cline,opencode,copilot");
  for (const fact of [
    "Uploads over 5 MB are never retried: the gateway counts each try.",
    "cat: /nowhere/flux.toml means that the flux settings are missing: run `make flux`.",
  ])
    await index("remember", fact, "--entity", "uploads", ...PROJECT);
});
afterAll(async () => {
  await home?.remove();
  await installation?.remove();
});

const PROJECT = ["--project", "git.example/acme/acme"];
const work = () => home.path("work/acme");

async function index(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await home.index(args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  return stdout;
}

/** Runs a registered command like the agent. @returns its answer; undefined without output. */
async function run(command: string, event: object) {
  const child = spawn("sh", ["-c", command], { cwd: work(), env: home.env, stdio: "pipe" });
  child.stdin.end(JSON.stringify(event));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout === "" ? undefined : JSON.parse(stdout);
}

const FAILED = "cat: /nowhere/flux.toml: No such file or directory\n";
const RULE = "From now on always run the linter before a commit";

describe("Cursor", () => {
  const tells = async (event: string, fields: object) => {
    const { version, hooks } = await home.json(".cursor/hooks.json");
    expect(version).toBe(1);
    const common = {
      conversation_id: "cursor-1",
      generation_id: "g",
      workspace_roots: [work()],
      hook_event_name: event,
    };
    return run(hooks[event][0].command, { ...common, ...fields });
  };

  it("is shown memories at a start and after a failure, none at a prompt, and its session is stored", async () => {
    const { additional_context } = await tells("sessionStart", { session_id: "cursor-1", is_background_agent: false });
    expect(additional_context).toContain("the gateway counts each try");
    expect(await tells("beforeSubmitPrompt", { prompt: `${RULE}. Why is flux broken?`, attachments: [] })).toBe(
      undefined,
    );
    const used = { tool_name: "Shell", tool_input: { command: "cat /nowhere/flux.toml" }, cwd: work() };
    const tool_output = JSON.stringify({ output: FAILED, exitCode: 1 });
    expect((await tells("postToolUse", { ...used, tool_output })).additional_context).toContain("run `make flux`");
    await tells("afterAgentResponse", {
      text: "Root cause: the flux settings of cursor are missing, since `make flux` was never run after the update.",
    });
    await tells("stop", { status: "completed", loop_count: 0 });
    expect(await index("recall", "linter before a commit", ...PROJECT)).toContain("run the linter before a commit");
    expect(await index("recall", "flux settings of cursor", "--journal", ...PROJECT)).toContain("settings of cursor");
    expect(await readFile(home.path(".cursor/hooks.json"), "utf8")).not.toContain('"node ');
  });
});

describe("Windsurf", () => {
  const tells = async (event: string, tool_info: object) => {
    const { hooks } = await home.json(".codeium/windsurf/hooks.json");
    return run(hooks[event][0].command, {
      agent_action_name: event,
      trajectory_id: "windsurf-1",
      execution_id: "e",
      tool_info,
    });
  };

  it("is shown nothing, and its session is stored", async () => {
    expect(
      await tells("pre_user_prompt", { user_prompt: "Never push to the release branch of windsurf by hand." }),
    ).toBe(undefined);
    expect(await tells("post_run_command", { command_line: "npm test", cwd: work() })).toBe(undefined);
    expect(await tells("post_cascade_response", { response: "Understood." })).toBe(undefined);
    expect(await index("recall", "release branch windsurf", ...PROJECT)).toContain("release branch of windsurf");
  });
});

describe("Devin CLI", () => {
  const tells = async (event: string, fields: object) => {
    const config = await readFile(home.path(".config/devin/config.json"), "utf8");
    const { hooks } = JSON.parse(config.replace("// mine", ""));
    const [{ hooks: handlers }] = hooks[event];
    const told = { session_id: "devin-1", hook_event_name: event, prompt_id: "p", ...fields };
    return run(`cd / && DEVIN_PROJECT_DIR='${work()}' ${handlers[0].command}`, told);
  };
  const contextOf = (answer: { hookSpecificOutput: { additionalContext: string } }) =>
    answer.hookSpecificOutput.additionalContext;

  it("is shown memories at a start, a prompt and a failure, and its session is stored", async () => {
    expect(contextOf(await tells("SessionStart", { source: "startup" }))).toContain("gateway");
    const prompt = "Never amend commits of devin. Why does flux not find its settings?";
    await tells("UserPromptSubmit", { prompt });
    const tool_response = { success: false, output: FAILED, error: null };
    const failed = {
      tool_name: "exec",
      tool_input: { command: "cat /nowhere/flux.toml", shell_id: "main" },
      tool_response,
    };
    expect(contextOf(await tells("PostToolUse", failed))).toContain("run `make flux`");
    await tells("Stop", { last_assistant_message: "Understood." });
    await tells("SessionEnd", { reason: "other" });
    expect(await index("recall", "amend commits of devin", ...PROJECT)).toContain("amend commits of devin");
  });

  it("runs what it finds of Claude Code's hooks without effect", async () => {
    await index("install-hooks", "--client", "claude-code");
    const { hooks } = await home.json(".claude/settings.json");
    const [{ hooks: handlers }] = hooks.SessionStart;
    const told = { session_id: "devin-2", hook_event_name: "SessionStart", source: "startup" };
    const command = handlers[0].command;
    expect(await run(`DEVIN_PROJECT_DIR='${work()}' ${command}`, told)).toBe(undefined);
    expect(contextOf(await run(`CLAUDE_PROJECT_DIR='${work()}' ${command}`, told))).toContain("known of this project");
  });
});

describe("VS Code, by the hooks of Copilot CLI", () => {
  const tells = async (event: string, fields: object) => {
    const { hooks } = await home.json(".copilot/hooks/chest-memory.json");
    return run(hooks[event][0].bash, {
      timestamp: new Date().toISOString(),
      cwd: work(),
      sessionId: "vscode-1",
      hookEventName: event,
      transcript_path: home.path(".config/Code/User/transcript.json"),
      ...fields,
    });
  };

  it("is shown memories at a start, none at a prompt, and its prompts are stored", async () => {
    const { hookSpecificOutput } = await tells("SessionStart", { source: "new" });
    expect(hookSpecificOutput).toMatchObject({ hookEventName: "SessionStart" });
    expect(hookSpecificOutput.additionalContext).toContain("known of this project");
    const prompt = "Never tag commits of vscode by hand. Why are uploads over 5 MB never retried?";
    expect(await tells("UserPromptSubmit", { prompt })).toBe(undefined);
    const edited = { tool_name: "editFiles", tool_input: { files: ["src/a.ts"] }, tool_use_id: "t" };
    await tells("PostToolUse", { ...edited, tool_response: "File edited successfully" });
    expect(await tells("Stop", { stop_hook_active: false })).toBe(undefined);
    expect(await index("recall", "tag commits of vscode", ...PROJECT)).toContain("tag commits of vscode");
  });
});

describe("Cline", () => {
  const tells = (event: string, fields: object) =>
    run(`'${home.path("Documents/Cline/Hooks", event)}'`, {
      hookName: event,
      taskId: "cline-1",
      workspaceRoots: [work()],
      [event.charAt(0).toLowerCase() + event.slice(1)]: fields,
    });

  it("is shown memories at a start, a prompt and a failure, and its session is stored", async () => {
    expect(await tells("TaskStart", { taskMetadata: { taskId: "cline-1" } })).toMatchObject({ cancel: false });
    const asked = {
      prompt: "Never squash commits of cline. Why are uploads over 5 MB never retried?",
      attachments: [],
    };
    const { contextModification } = await tells("UserPromptSubmit", asked);
    expect(contextModification).toContain("the gateway counts each try");
    const used = { toolName: "execute_command", parameters: { command: "cat /nowhere/flux.toml" } };
    const failed = await tells("PostToolUse", { ...used, result: FAILED, success: false, executionTimeMs: 5 });
    expect(failed.contextModification).toContain("run `make flux`");
    expect(await tells("TaskComplete", { taskMetadata: { taskId: "cline-1" } })).toBe(undefined);
    expect(await index("recall", "squash commits of cline", ...PROJECT)).toContain("squash commits of cline");
  });
});

describe("OpenCode 2", () => {
  const sessionID = "ses_1";

  it("is shown memories with a prompt and at a failure, again with each request, and its session is stored", async () => {
    const prompt = {
      sessionID,
      messageID: "msg_1",
      prompt: { text: "Never rebase branches of opencode. Why are uploads over 5 MB never retried?" },
    };
    const asked = () => ({
      sessionID,
      messages: [{ id: "msg_1", role: "user", content: [{ type: "text", text: "…" }] }],
    });
    const failed = { content: FAILED, metadata: { exit: 1 } };
    const ran = { tool: "shell", sessionID, input: { command: "cat /nowhere/flux.toml" }, result: failed };
    const { id, isFollowed, steps } = await plays([
      { hook: "session.prompt", event: prompt },
      { hook: "session.context", event: asked() },
      { hook: "session.prompt", event: { ...prompt, sessionID: "ses_child", messageID: "msg_2" } },
      { hook: "session.context", event: { ...asked(), sessionID: "ses_child" } },
      { hook: "tool.execute.after", event: ran },
      { hook: "session.context", event: asked() },
      { hook: "tool.execute.after", event: { tool: "shell", sessionID, input: null, error: {} } },
      { emits: "session.execution.succeeded", event: { sessionID } },
    ]);
    expect({ id, isFollowed }).toEqual({ id: "chest-memory", isFollowed: true });
    const [, first, , child, tool, again] = steps.map(({ event }) => JSON.stringify(event));
    expect(first).toContain("the gateway counts each try");
    expect(again).toBe(first);
    expect(child).not.toContain("gateway");
    expect(tool).toContain("run `make flux`");
    expect(await index("recall", "rebase branches of opencode", ...PROJECT)).toContain("rebase branches of opencode");
    expect(await index("recall", "flux of opencode", "--journal", ...PROJECT)).toContain("settings of opencode");
  });

  /** Plays steps to the installed plugin, as OpenCode 2 documents them. */
  async function plays(steps: readonly object[]) {
    const plugin = home.path(".config/opencode/plugins/chest-memory.js");
    const says =
      "Root cause: the flux settings of opencode are missing, since `make flux` was never run after the update.";
    const messages = [
      { type: "user", text: "…" },
      { type: "assistant", content: [{ type: "text", text: says }] },
    ];
    const child = spawn(NODE_24, [join(import.meta.dirname, "opencode-2.ts"), plugin, work()], {
      cwd: work(),
      env: home.env,
      stdio: "pipe",
    });
    child.stdin.end(JSON.stringify({ steps, messages }));
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return JSON.parse(stdout) as { id: string; isFollowed: boolean; steps: { event: object }[] };
  }
});

it("is removed from all of them", async () => {
  await index("setup", "--remove", "--yes");
  const left = Object.entries(await home.files()).filter(([, { text: held }]) => held.includes("chest-hook.mjs"));
  expect(left.map(([name]) => name).filter((name) => !name.startsWith(".chest-memory/"))).toEqual([]);
});
