import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connectStdioClient, type StdioClient } from "../support/clients/stdio-client.ts";
import type { Home } from "../support/deployment/installation.ts";

/** Something that happened in a session, with the text from Chest that the agent saw. */
export interface Seen {
  /** Hook event with its subject, or a Chest tool. */
  readonly step: string;
  /** Undefined when Chest said nothing. */
  readonly said: string | undefined;
}

interface Part {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly message?: { readonly role: string; readonly content: string | readonly Part[] };
}

interface HookSettings {
  readonly hooks: Readonly<
    Record<string, readonly { readonly matcher?: string; readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

const OURS = "mcp__chest-memory__";
// A hook has two seconds of its own; starting a process on a busy machine takes additional time.
const MOST_MS = 4000;

/**
 * Imitates Claude Code: reads the settings that `setup` wrote, runs their hooks through a shell, starts the registered
 * server, and plays recorded sessions while it writes the transcript.
 */
export class ClaudeCode {
  readonly #home: Home;
  readonly #cwd: string;
  readonly #transcripts: string;
  #server: StdioClient | undefined;
  /** Longest time that a hook has delayed the agent, in milliseconds. */
  longestMs = 0;

  constructor(home: Home, remote = "https://git.example/acme/acme.git") {
    this.#home = home;
    this.#cwd = home.path("work/acme");
    this.#transcripts = home.path(".claude/projects/acme");
    mkdirSync(join(this.#cwd, ".git"), { recursive: true });
    mkdirSync(this.#transcripts, { recursive: true });
    writeFileSync(join(this.#cwd, ".git/config"), `[remote "origin"]\n\turl = ${remote}\n`);
  }

  /**
   * Plays a recorded session to its end.
   * @param source how the session begins; `resume` with an earlier session's id.
   * @param killedAt line before which the process is killed.
   * @param reason why the session ends.
   */
  async play(
    recording: string,
    session: string,
    source = "startup",
    killedAt = Number.POSITIVE_INFINITY,
    reason: "exit" | "clear" = "exit",
  ) {
    const file = new URL(`./sessions/${recording}.jsonl`, import.meta.url);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const seen: Seen[] = [];
    const uses = new Map<string, Part>();
    const answers = new Map<string, string>();
    const event = async (name: string, about: string, fields: object, tool = "") => {
      const said = await this.#hook(name, session, fields, tool);
      seen.push({ step: about === "" ? name : `${name} ${about}`, said });
    };

    await event("SessionStart", source, { source });
    for (const [at, written] of lines.entries()) {
      if (at >= killedAt) return seen;
      const line: Line = JSON.parse(written);
      const { content = [] } = line.message ?? {};
      const spoken = line.type === "user" && typeof content === "string" ? content : undefined;
      if (spoken !== undefined) await event("UserPromptSubmit", spoken, { prompt: spoken });
      if (line.subtype === "compact_boundary")
        await event("PreCompact", "", { trigger: "auto", custom_instructions: "" });
      this.#write(session, answered(line, answers));
      if (line.subtype === "compact_boundary") await event("SessionStart", "compact", { source: "compact" });
      for (const part of typeof content === "string" ? [] : content) {
        if (part.type === "tool_use") {
          uses.set(part.id ?? "", part);
          await event("PreToolUse", named(part), { ...aboutUse(part, this.#cwd) }, part.name);
          if (part.name?.startsWith(OURS)) {
            const said = await this.#call(part);
            answers.set(part.id ?? "", said);
            seen.push({ step: part.name.slice(OURS.length), said });
          }
        }
        const use = part.type === "tool_result" ? uses.get(part.tool_use_id ?? "") : undefined;
        if (!use) continue;
        const outcome = part.is_error
          ? { error: part.content, is_interrupt: false }
          : { tool_response: { stdout: part.content, stderr: "", interrupted: false } };
        const name = part.is_error ? "PostToolUseFailure" : "PostToolUse";
        await event(name, named(use), { ...aboutUse(use, this.#cwd), ...outcome }, use.name);
      }
      const isTurnOver = line.type === "assistant" && isSpeech(content) && !goesOn(lines[at + 1]);
      if (isTurnOver) await event("Stop", "", { stop_hook_active: false });
    }
    await event("SessionEnd", "", { reason });
    return seen;
  }

  async close(): Promise<void> {
    await this.#server?.stop();
  }

  #write(session: string, line: Line): void {
    // A recording without times is played at the present time.
    const now = { uuid: randomUUID(), timestamp: new Date().toISOString() };
    const whole = { ...now, ...line, sessionId: session, cwd: this.#cwd, gitBranch: "main", version: "2.1.200" };
    appendFileSync(this.#transcriptOf(session), `${JSON.stringify(whole)}\n`);
  }

  #transcriptOf = (session: string): string => join(this.#transcripts, `${session}.jsonl`);

  /** Runs the hooks registered for an event, in a shell. Errors are recorded as the user would see them. */
  async #hook(event: string, session: string, fields: object, tool: string): Promise<string | undefined> {
    const { hooks }: HookSettings = await this.#home.json(".claude", "settings.json");
    const commands = (hooks[event] ?? [])
      .filter(({ matcher = "" }) => matcher === "" || new RegExp(`^(?:${matcher})$`).test(tool))
      .flatMap((entry) => entry.hooks.map(({ command }) => command));
    const said: string[] = [];
    for (const command of commands) {
      const input = {
        session_id: session,
        transcript_path: this.#transcriptOf(session),
        cwd: this.#cwd,
        permission_mode: "default",
        hook_event_name: event,
        ...fields,
      };
      const startedAt = performance.now();
      const child = spawn("sh", ["-c", command], { cwd: this.#cwd, env: this.#home.env, stdio: "pipe" });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(input));
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      const ms = performance.now() - startedAt;
      this.longestMs = Math.max(this.longestMs, ms);
      if (child.exitCode !== 0 || stderr !== "" || ms > MOST_MS) {
        throw new Error(`${event} ended with ${child.exitCode} after ${ms} ms: ${stderr}`);
      }
      if (stdout === "") continue;
      const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
      if (hookEventName !== event) throw new Error(`${event} was answered as ${hookEventName}`);
      said.push(additionalContext);
    }
    return said.length === 0 ? undefined : said.join("\n");
  }

  async #call({ name = "", input = {} }: Part): Promise<string> {
    this.#server ??= await this.#startServer();
    const answer = await this.#server.client.callTool({ name: name.slice(OURS.length), arguments: { ...input } });
    const [first] = answer.content as { text?: string }[];
    return first?.text ?? "";
  }

  async #startServer(): Promise<StdioClient> {
    const { mcpServers } = await this.#home.json(".claude.json");
    const { command, args, env } = mcpServers["chest-memory"];
    return connectStdioClient({ program: { command, args }, cwd: this.#cwd, env: { ...this.#home.env, ...env } });
  }
}

/** Replaces a recorded tool result in a line by the answer of Chest's tool. */
function answered(line: Line, answers: ReadonlyMap<string, string>): Line {
  const { message } = line;
  if (!message || typeof message.content === "string") return line;
  const content = message.content.map((part) => {
    const text = answers.get(part.tool_use_id ?? "");
    return text === undefined ? part : { ...part, content: [{ type: "text", text }] };
  });
  return { ...line, message: { ...message, content } };
}

/** Describes a tool call in a word or two. */
const named = ({ name = "", input = {} }: Part): string =>
  [name.replace(OURS, ""), input.file_path ?? input.command].filter(Boolean).join(" ");

/** Replaces file names by absolute paths, as Claude Code uses them. */
const aboutUse = ({ name, input = {} }: Part, cwd: string) => ({
  tool_name: name,
  tool_input: typeof input.file_path === "string" ? { ...input, file_path: join(cwd, input.file_path) } : input,
});

const isSpeech = (content: string | readonly Part[]): boolean =>
  typeof content === "string" || content.every(({ type }) => type === "text");

/** Tells whether the agent does something more in its turn after its text. */
const goesOn = (next: string | undefined): boolean =>
  next !== undefined && (JSON.parse(next) as Line).type === "assistant";
