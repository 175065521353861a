import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Home, type Installation, install } from "../support/deployment/installation.ts";
import { has } from "../support/requirements.ts";
import { PROGRAMS } from "./programs.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

// The agents' commands: DIR/node_modules/.bin after `npm install --prefix DIR @openai/codex @google/gemini-cli
// @github/copilot opencode-ai`.
const { CHEST_AGENT_PROGRAMS: folder = "" } = process.env;

let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation?.remove());

describe.each(PROGRAMS)("$name, run for real with a scripted model", (program) => {
  const command = folder === "" ? program.name : join(folder, program.name);
  const isHere = has(`agent:${program.name}`, [command, "--version"]);
  let home: Home;
  let model: ScriptedModel;
  let env: NodeJS.ProcessEnv;
  const work = () => home.path("work", "acme");

  beforeAll(async () => {
    if (!isHere) return;
    model = await startScriptedModel();
    home = await Home.make(installation);
    await mkdir(join(work(), ".git"), { recursive: true });
    await writeFile(join(work(), ".git/config"), '[remote "origin"]\n\turl = https://git.example/acme/acme.git\n');
    // A shell sets PWD, and some agents use it to find their folder.
    env = { ...home.env, PWD: work(), TERM: "dumb", ...(await program.configure(home, model.url)) };
  });
  afterAll(async () => {
    await model?.stop();
    await home?.remove();
  });

  /** Runs the agent with one prompt, until it ends. */
  async function types(prompt: string): Promise<void> {
    const child = spawn(command, program.words(prompt), { cwd: work(), env, stdio: ["ignore", "pipe", "pipe"] });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    expect({ code, ...(code === 0 ? {} : { stdout, stderr }) }).toEqual({ code: 0 });
  }

  const index = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await home.index(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    return stdout;
  };

  it.skipIf(!isHere)(
    "is shown memories at a start, a prompt and a failure, and its session is stored at its end",
    async () => {
      await index("setup", "--yes", "--local", "--client", program.name);
      const project = ["--project", "git.example/acme/acme"];
      await index(
        "remember",
        "Uploads over 5 MB are never retried: the gateway counts each try.",
        "--entity",
        "uploads",
        ...project,
      );
      await index(
        "remember",
        "cat: /nowhere/flux.toml means that the flux settings are missing: run `make flux`.",
        "--entity",
        "flux",
        ...project,
      );

      model.answers([
        program.runs("cat /nowhere/flux.toml"),
        { says: "Root cause: the flux settings are missing here, since `make flux` was never run after the update." },
      ]);
      await types("From now on always run the linter before a commit. Why are uploads over 5 MB never retried?");

      const log = await readFile(home.path(".chest-memory/hook.log"), "utf8");
      const [first = "", second = ""] = model.asked;
      const told = {
        prompt: first.includes("the gateway counts each try"),
        failure: second.includes("run `make flux`"),
      };
      expect({ ...told, log: told.prompt && told.failure ? "" : log }).toEqual({
        prompt: true,
        failure: true,
        log: "",
      });
      for (const event of ["session-start", "user-prompt", "post-tool", "stop"]) expect(log).toContain(` ${event} `);
      expect(log).not.toContain("failed");
      await expect
        .poll(() => index("recall", "linter before a commit", ...project), { timeout: 20_000 })
        .toContain("always run the linter before a commit");
      await expect
        .poll(() => index("recall", "flux settings", "--journal", ...project), { timeout: 20_000 })
        .toContain("flux settings are missing here");

      // In the next session the hook shows the memory without a question.
      const before = model.asked.length;
      model.answers([{ says: "Fine." }]);
      await types("Which checks does a commit of this repository need?");
      const next = model.asked.slice(before).join("");
      expect(next).toContain("run the linter before a commit");
      expect(next).toContain("your last session stopped");

      await index("setup", "--remove", "--yes", "--client", program.name);
      const files = Object.values(await home.files());
      expect(
        files.filter(({ text }) => text.includes("chest-hook.mjs user") || text.includes("chest-memory.js")),
      ).toEqual([]);
    },
    600_000,
  );
});
