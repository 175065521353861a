import type { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { HEADERS, isTraceparent } from "@chest/contracts";
import { TOOLS } from "@chest/core";
import { createMcpServer, elicitConfirm, INSTRUCTIONS, sampleText } from "@chest/mcp-server";
import { ConfigError, type Env, RELEASE, StartError } from "@chest/runtime";
import { withClientProfile } from "@chest/runtime/profile";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { compose, type Host } from "./compose.ts";
import { readConfig } from "./config.ts";
import { openLog } from "./log.ts";
import { agentRoots } from "./roots.ts";
import { typedHints } from "./typed-hints.ts";

/** Serves MCP on stdin and the given stream until stdin ends or a signal comes. Resolves with the exit code. */
export async function serve(env: Env, frames: Writable): Promise<number> {
  const config = configOrProblem(env);
  if (typeof config === "string") {
    process.stderr.write(`chest-memory: ${config}\n`);
    return 1;
  }
  const log = openLog(config.logLevel);
  for (const warning of config.warnings) log.warn({ warning }, "configuration");
  const host: Host = {
    agent: () => server.getClientVersion()?.name,
    confirm: (message, signal) => elicitConfirm(server, message, signal),
    model: {
      isOffered: () => server.getClientCapabilities()?.sampling !== undefined,
      ask: (question, patience) => sampleText(server, question, patience),
      onDefect: (err, { requestId }) => log.warn({ err, requestId }, "summary not worded"),
    },
    typedHints: typedHints(env, process.argv[1] ?? ""),
    roots: () => roots(),
  };
  const { executor, resources, callFor, start, close } = compose(config, log, host);
  const server = createMcpServer({
    tools: TOOLS,
    toolSet: config.toolSet,
    executor,
    resources,
    callFor: ({ signal, _meta }) => ({ ...callFor(signal), traceparent: traceparentIn(_meta) }),
    version: RELEASE,
    instructions: INSTRUCTIONS,
    onDefect: (err, { requestId }) => log.error({ err, requestId }, "tool call failed"),
  });
  const roots = agentRoots(server);
  const stopped = untilStopped();
  await server.connect(new StdioServerTransport(process.stdin, frames));
  server.oninitialized = start;
  log.info({ mode: config.place.mode, version: RELEASE }, "serving on stdio");

  const reason = await stopped;
  // What was read with the end of stdin is under way after a turn of the loop.
  await nextTurn();
  await close();
  await nextTurn();
  await new Promise<void>((resolve) => frames.end(resolve));
  log.info({ reason }, "stopped");
  return 0;
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

function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    process.stdin.once("end", () => resolve("stdin closed")).once("error", () => resolve("stdin failed"));
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(signal));
  });
}

/** The agent's span, where it states one. */
function traceparentIn(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = meta?.[HEADERS.traceparent];
  return typeof given === "string" && isTraceparent(given) ? given : undefined;
}
