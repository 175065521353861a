import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Backend } from "../../support/backend.ts";
import { AgentMachine } from "../../support/clients/hook.ts";
import { type Line, type Part, partsOf, promptOf } from "./corpus.ts";

/** Text from Chest that an agent saw unasked. */
export interface ShownText {
  readonly event: string;
  readonly session: string;
  /** Line of the session at which the text was shown; 0 at its start. */
  readonly line: number;
  readonly text: string;
}

const EDITS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
/** Placeholder for the repository's folder in recorded lines. */
const RECORDED = /\/home\/dev\/src\/[A-Za-z0-9_-]+(?=[/"\\ ]|$)/g;

/**
 * Imitates an agent's host in one repository: runs the built hook program at each event, and writes the transcript as
 * it goes.
 */
export class Player {
  readonly #machine: AgentMachine;
  readonly #took: number[] = [];
  readonly shown: ShownText[] = [];
  /** Runs that printed errors, or ended with another exit code than 0. */
  readonly odd: string[] = [];

  constructor(backend: Backend, project: string) {
    this.#machine = new AgentMachine();
    this.#machine.env = {
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: backend.url,
      CHEST_API_TOKEN: backend.token,
      CHEST_DATA_DIR: this.#machine.dataDir,
      // The budget is generous because a busy machine must not lose notes or hints.
      CHEST_HOOK_BUDGET_MS: "5000",
    };
    const git = join(this.#machine.cwd, ".git");
    mkdirSync(git, { recursive: true });
    writeFileSync(join(git, "config"), `[remote "origin"]\n\turl = https://${projectOf(project)}.git\n`);
    writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  }

  /** Duration of each run in milliseconds. */
  get took(): readonly number[] {
    return this.#took;
  }

  /** Number of runs that ended before their work was done, because the machine was too busy for valid figures. */
  get late(): number {
    return this.#machine.log().filter((line) => line.includes("outcome=late")).length;
  }

  /** Plays a session so that its last line is dated `endsAt`. @param lines the lines up to the end of the session */
  async play(session: string, lines: readonly Line[], endsAt: number): Promise<void> {
    const last = Math.max(...lines.map(({ timestamp }) => Date.parse(timestamp ?? "")).filter(Number.isFinite));
    const uses = new Map<string, Part>();
    let pending = "";
    const flush = () => {
      appendFileSync(this.#machine.transcript(session), pending);
      pending = "";
    };
    await this.start(session);
    for (const [at, line] of lines.entries()) {
      const prompt = promptOf(line);
      if (prompt !== undefined) {
        flush();
        await this.prompt(session, prompt, at + 1);
      }
      pending += `${JSON.stringify(this.#moved(line, session, endsAt - last))}\n`;
      for (const part of partsOf(line)) {
        if (part.type === "tool_use") uses.set(part.id ?? "", part);
        const use = part.type === "tool_result" ? uses.get(part.tool_use_id ?? "") : undefined;
        if (!use || !(use.name === "Bash" || EDITS.has(use.name ?? "")) || !(part.is_error && use.name === "Bash"))
          continue;
        flush();
        await this.#failed(session, use, String(part.content), at + 1);
      }
      const next = lines.slice(at + 1).find(({ message }) => message);
      const isOver = !next || promptOf(next) !== undefined;
      if (line.type === "assistant" && isOver && partsOf(line).some(({ type }) => type === "text")) {
        flush();
        await this.#fire("stop", "Stop", session, { stop_hook_active: false }, at + 1);
      }
    }
    flush();
    await this.#fire("stop", "Stop", session, { stop_hook_active: false }, lines.length);
    await this.#fire("session-end", "SessionEnd", session, { reason: "exit" }, lines.length);
  }

  /** Begins a session. @returns the text that it is shown */
  start(session: string): Promise<string> {
    writeFileSync(this.#machine.transcript(session), "");
    return this.#fire("session-start", "SessionStart", session, { source: "startup" }, 0);
  }

  prompt(session: string, prompt: string, line = 0): Promise<string> {
    return this.#fire("user-prompt", "UserPromptSubmit", session, { prompt }, line);
  }

  /** Fails a command in a new session. @returns the text that the session is shown */
  fail(session: string, command: string, output: string): Promise<string> {
    writeFileSync(this.#machine.transcript(session), "");
    return this.#failed(session, { type: "tool_use", name: "Bash", input: { command } }, output, 0);
  }

  remove(): void {
    this.#machine.remove();
  }

  #failed(session: string, use: Part, error: string, line: number): Promise<string> {
    const input = JSON.parse(this.#here(JSON.stringify(use.input ?? {})));
    const about = { tool_name: use.name, tool_input: input, tool_use_id: use.id ?? "toolu_again" };
    return this.#fire("post-tool", "PostToolUseFailure", session, { ...about, error, is_interrupt: false }, line);
  }

  async #fire(word: string, event: string, session: string, fields: object, line: number): Promise<string> {
    const { exitCode, stderr, ms, context } = await this.#machine.hook(word, {
      session_id: session,
      transcript_path: this.#machine.transcript(session),
      permission_mode: "default",
      hook_event_name: event,
      ...fields,
    });
    this.#took.push(ms);
    if (exitCode !== 0 || stderr !== "") this.odd.push(`${event} ${exitCode} ${stderr.slice(0, 200)}`);
    if (context !== undefined) this.shown.push({ event, session, line, text: context });
    return context ?? "";
  }

  #moved(line: Line, sessionId: string, shift: number): object {
    const moved = JSON.parse(this.#here(JSON.stringify(line)));
    const at = Date.parse(line.timestamp ?? "");
    const when = Number.isFinite(at) ? { timestamp: new Date(at + shift).toISOString() } : {};
    return { ...moved, sessionId, cwd: moved.cwd ?? this.#machine.cwd, ...when };
  }

  #here = (text: string): string => text.replaceAll(RECORDED, this.#machine.cwd);
}

/** Project key of a played repository. */
export const projectOf = (name: string): string => `git.example/day/${name}`;
