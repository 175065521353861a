import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ChestError, HEADERS, isTraceparent } from "@chest/contracts";
import type { Stage } from "@chest/core/executor";
import { TOOLS } from "@chest/core/tools";
import {
  CHAT_VIEW_FILE,
  findChatView,
  INSTRUCTIONS,
  type SamplingOutcome,
  type Surface,
  statesProtocol,
} from "@chest/mcp-server";
import { ConfigError, type Env, RELEASE, StartError } from "@chest/runtime";
import { ownName, typedHere } from "@chest/runtime/own-name";
import { withClientProfile } from "@chest/runtime/profile";
import { type AgentConnection, connectSession, connectSessionless, NOBODY_YET } from "./agent-connection.ts";
import { compose, type Host } from "./compose.ts";
import { readConfig } from "./config.ts";
import { openLog } from "./log.ts";

/** Folders of the chat view: beside this program in an installation, with the built page in a clone. */
const CHAT_VIEW = [".", "../../web/dist"].map((folder) => join(import.meta.dirname, folder, CHAT_VIEW_FILE));

/** Serves MCP on stdin and the given stream until stdin ends or a signal comes. Resolves with the exit code. */
export async function serve(env: Env, frames: Writable): Promise<number> {
  const config = configOrProblem(env);
  if (typeof config === "string") {
    process.stderr.write(`chest-memory: ${config}\n`);
    return 1;
  }
  const log = openLog(config.logLevel);
  for (const warning of config.warnings) log.warn({ warning }, "configuration");
  let agent: AgentConnection = NOBODY_YET;
  const host: Host = {
    agent: () => agent.name(),
    confirm: (message, signal) => agent.confirm(message, signal),
    model: {
      isOffered: () => agent.sampling() !== undefined,
      ask: (question, patience) => agent.sampling()?.(question, patience) ?? NO_MODEL,
      onDefect: (err, { requestId }) => log.warn({ err, requestId }, "summary not worded"),
    },
    typedHints: typedHints(env, process.argv[1] ?? ""),
    roots: () => agent.roots(),
  };
  const { executor, resources, callFor, start, close } = compose(config, log, host);
  const surface: Surface = {
    tools: TOOLS,
    toolSet: config.toolSet,
    executor,
    resources,
    chatView: () => findChatView(CHAT_VIEW),
    callFor: ({ signal, _meta }) => ({ ...callFor(signal), traceparent: traceparentIn(_meta) }),
    version: RELEASE,
    instructions: INSTRUCTIONS,
    onDefect: (err, { requestId }) => log.error({ err, requestId }, "tool call failed"),
  };
  const stopped = untilStopped();
  log.info({ mode: config.place.mode, version: RELEASE }, "serving on stdio");
  const opening = await Promise.race([firstLine(process.stdin), stopped.then(() => undefined)]);
  const connect = statesProtocol(parsed(opening)) ? connectSessionless : connectSession;
  agent = await connect(surface, frames, start);
  process.stdin.resume();

  const reason = await stopped;
  // Input that was read with the end of stdin is being handled one turn later.
  await nextTurn();
  await close();
  await nextTurn();
  await new Promise<void>((resolve) => frames.end(resolve));
  log.info({ reason }, "stopped");
  return 0;
}

const NO_MODEL: Promise<SamplingOutcome> = Promise.resolve({ told: "nothing", why: "no_sampling" });

/** A line that is no JSON is left to the server. */
function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "");
  } catch {
    return undefined;
  }
}

function configOrProblem(env: Env) {
  try {
    return readConfig(withClientProfile(env));
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("; ");
    if (error instanceof StartError) return [error.message, error.hint].filter(Boolean).join("; ");
    throw error;
  }
}

const PARENT_MS = 2_000;

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    // The pipe may be held open by others of the agent's processes when the agent itself is gone.
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve("its parent ended");
    }, PARENT_MS).unref();
    process.stdin.once("end", () => resolve("stdin closed")).once("error", () => resolve("stdin failed"));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(signal));
  });
}

/** The agent's span, where it states one. */
function traceparentIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = meta?.[HEADERS.traceparent];
  return typeof given === "string" && isTraceparent(given) ? given : undefined;
}

/** Reads the first line of a stream and puts it back; undefined when the stream ends without one. */
function firstLine(stream: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    const read: Buffer[] = [];
    const done = (isWhole: boolean) => {
      stream.off("data", onData).off("end", onEnd).off("error", onEnd).pause();
      const all = Buffer.concat(read);
      if (isWhole) stream.unshift(all);
      resolve(isWhole ? all.subarray(0, all.indexOf("\n")).toString() : undefined);
    };
    const onData = (chunk: Buffer) => {
      read.push(chunk);
      if (chunk.includes("\n")) done(true);
    };
    const onEnd = () => done(false);
    stream.on("data", onData).once("end", onEnd).once("error", onEnd);
  });
}

/** Names the commands of a hint as they can be typed on this machine, where the shell may not find `chest-index`. */
function typedHints(env: Env, script: string): Stage {
  return async (request, next) => {
    try {
      return await next(request);
    } catch (error) {
      throw error instanceof ChestError && error.hint?.includes("chest-index") ? typed(error) : error;
    }
  };

  function typed({ code, message, hint = "", details, cause }: ChestError): ChestError {
    return new ChestError(code, message, { hint: typedHere(hint, ownName(env, script)), details, cause });
  }
}
