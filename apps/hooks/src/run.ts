import { existsSync, writeSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import { argv } from "node:process";
import { ChestError } from "@chest/contracts";
import { reachOf } from "@chest/files/capture-reach";
import { readProjectKeys } from "@chest/files/project";
import type { Env } from "@chest/runtime";
import { ignoredLine } from "@chest/runtime/hook-log";
import type { Host } from "@chest/runtime/hosts";
import { dataDirOf } from "@chest/runtime/profile";
import { pause } from "./backend/circuit-breaker.ts";
import { type OpenMemory, openMemory } from "./backend/open-backend.ts";
import { EVENTS, OLD_NAMES } from "./events/index.ts";
import { sinceStartMs } from "./process/clock.ts";
import { startBudget } from "./process/deadline.ts";
import { leave } from "./process/exit-now.ts";
import { type HookInput, readInput } from "./process/hook-input.ts";
import { addLine, addToLog } from "./process/hook-log.ts";
import { budgetOf, isShownAt, isWanted, readSettings, type Settings, Unusable } from "./process/settings.ts";
import { openJournal } from "./session/session-journal.ts";
import { realTranscript } from "./session/transcript.ts";
import { usableEnv } from "./validate-env.ts";

/** Names of the events that may answer, as Claude Code calls them, for versions that do not name the event. */
const SPEAKING: Readonly<Record<string, string>> = {
  "session-start": "SessionStart",
  "subagent-start": "SubagentStart",
  "user-prompt": "UserPromptSubmit",
  "pre-tool": "PreToolUse",
  "post-tool": "PostToolUse",
};

/**
 * Acts on one event of an agent, and ends this process: always within the budget, with exit code 0 and an empty stderr.
 * Stdout holds one whole answer or nothing.
 */
export async function run(word: string, raw: Env, hostName?: string): Promise<void> {
  const name = OLD_NAMES[word] ?? word;
  const event = Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined;
  if (!event || isOfAnother(hostName, raw)) process.exit(0);
  const dataDir = dataDirFor(raw);
  let session: string | undefined;
  let memory: OpenMemory | undefined;
  const log = (outcome: string, code?: string) =>
    addToLog(dataDir, { at: new Date(), event: name, session, ms: sinceStartMs(), outcome, code });
  let isOpen = false;
  const end = (outcome: string, code?: string) => {
    log(outcome, code);
    // An ordinary end would wait for the read of a pipe that brings nothing more.
    if (isOpen) leave();
    process.exit(0);
  };
  // Node prints warnings about experimental and deprecated features, which would disturb the host.
  process.removeAllListeners("warning");
  process.on("uncaughtException", (error) => end("failed", codeOf(error)));
  const late = () => {
    // A store on this machine is slow where all of the machine is, and for as long as that.
    if (memory?.isRemote && !memory.hasAnswered()) pauseFor(dataDir, memory.name);
    log("late");
    leave();
  };
  const env = usableEnv(raw, (setting, why) => addLine(dataDir, ignoredLine(new Date(), name, setting, why)));
  const budget = startBudget(budgetOf(env), late);
  if (!isWanted(name, env)) process.exit(0);
  try {
    // Claude Code's commands name no host; for it the descriptions of the other hosts are not loaded.
    let host = hostName === undefined ? undefined : (await import("@chest/runtime/hosts")).hostOf(hostName);
    const translated = (value: Readonly<Record<string, unknown>>) => {
      host = host?.otherOf?.(value) ?? host;
      return host?.read(value) ?? value;
    };
    const [input, act] = await Promise.all([readInput(budget.leftMs(), translated), event()]);
    session = input?.session;
    isOpen = input?.isOpen ?? false;
    if (!input || session === undefined) {
      log("no_event");
      return leave();
    }
    const settings = readSettings(env, dataDir);
    const journal = openJournal(dataDir, session, input.agent);
    const named = namedFolder(env);
    const known = named ?? journal.read().folder;
    const folder = known ?? input.cwd;
    const keys = settings.project === undefined ? readProjectKeys(folder, env) : { key: settings.project };
    const project = keys?.key;
    const reach = reachOf(folder, keys, env);
    if (reach === "none") return end("excluded");
    if (known === undefined) journal.note({ folder });
    memory = openMemory(settings, dataDir, budget);
    const transcript = await transcriptOf(name, { session, dataDir, host, mayNote: reach === "all" }, input, settings);
    const outcome = await act({
      input,
      session,
      dataDir,
      budget,
      memory,
      project,
      folder,
      mayNote: reach === "all",
      isShownAt: (source) => isShownAt(source, env),
      journal,
      transcript,
      canSay: host === undefined || host.answer(input.event ?? "", "") !== undefined,
      say: (context) => say(name, input, context, host),
    });
    await memory.close();
    end(outcome);
  } catch (error) {
    if (budget.leftMs() <= 0) late();
    end("failed", codeOf(error));
  }
}

/**
 * The folder that the host names as the project's. Without one, a session belongs to the folder that it began in: the
 * momentary one is where the last command has led.
 */
const namedFolder = ({ CLAUDE_PROJECT_DIR, DEVIN_PROJECT_DIR }: Env): string | undefined =>
  [CLAUDE_PROJECT_DIR, DEVIN_PROJECT_DIR].find((named) => named && isAbsolute(named) && existsSync(named));

/** Devin runs Claude Code's hooks as well as its own: it is told of each event twice, and one of them acts. */
const isOfAnother = (hostName: string | undefined, { CLAUDE_PROJECT_DIR, DEVIN_PROJECT_DIR }: Env): boolean =>
  hostName === undefined && DEVIN_PROJECT_DIR !== undefined && CLAUDE_PROJECT_DIR === undefined;

interface Recorded {
  readonly session: string;
  readonly dataDir: string;
  readonly host: Host | undefined;
  readonly mayNote: boolean;
}

/** The file that records the session: the agent's own, or the one that the hooks write for an agent without. */
async function transcriptOf(
  name: string,
  { session, dataDir, host, mayNote }: Recorded,
  input: HookInput,
  { transcripts, env }: Settings,
): Promise<string | undefined> {
  if (host && !host.transcripts) {
    if (!mayNote) return undefined;
    const { writeDown } = await import("./session/own-transcript.ts");
    const file = await writeDown(name, { session, host: host.name, dataDir }, input);
    return existsSync(file) ? file : undefined;
  }
  const path = input.transcript ?? host?.transcriptOf?.(session, env);
  return path && realTranscript(path, host?.transcripts?.(env) ?? transcripts);
}

function say(name: string, { event }: HookInput, additionalContext: string, host: Host | undefined): void {
  const hookEventName = event ?? SPEAKING[name];
  if (hookEventName === undefined) return;
  const answer = host
    ? host.answer(hookEventName, additionalContext)
    : { hookSpecificOutput: { hookEventName, additionalContext } };
  if (answer) writeSync(1, `${JSON.stringify(answer)}\n`);
}

function pauseFor(dataDir: string, place: string): void {
  try {
    pause(dataDir, place);
  } catch {
    // Then the next event waits as this one did.
  }
}

/** Code of an error: one word that no user wrote. */
function codeOf(error: unknown): string {
  if (error instanceof Unusable) return error.message;
  if (error instanceof ChestError) return error.code;
  if (error instanceof Error && "reason" in error && typeof error.reason === "string") return error.reason;
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/** Data folder from the environment, else the folder in whose `bin` this program was installed. */
function dataDirFor(env: Env): string {
  const bin = dirname(argv[1] ?? "");
  return !env.CHEST_DATA_DIR && basename(bin) === "bin" ? dirname(bin) : dataDirOf(env);
}
