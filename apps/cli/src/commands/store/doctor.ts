import { homedir } from "node:os";
import { delimiter } from "node:path";
import { claudeFolder, claudeUserFile, settingsFile } from "../../agents/claude/folder.ts";
import { openOutbox, openReach } from "../../connect/backend.ts";
import { readConfig } from "../../connect/config.ts";
import { CONTAINER } from "../../connect/start-command.ts";
import { runChecks } from "../../doctor/check.ts";
import { capabilities, clock, health, project } from "../../doctor/client/backend.ts";
import { claudeChecks } from "../../doctor/client/claude.ts";
import { hookLog, hooks } from "../../doctor/client/hooks.ts";
import { localStore, maintenanceSettings } from "../../doctor/client/local-store.ts";
import { mcpChecks } from "../../doctor/client/mcp.ts";
import { modelChecks } from "../../doctor/client/model.ts";
import { outbox } from "../../doctor/client/outbox.ts";
import { profile } from "../../doctor/client/profile.ts";
import { token } from "../../doctor/client/token.ts";
import { workspace } from "../../doctor/client/workspace.ts";
import { reportOf, tell } from "../../doctor/report.ts";
import { commandGroup, reachingCommand, type Shell } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

const CLIENT_CHECKS = [
  ...mcpChecks,
  ...claudeChecks,
  localStore,
  maintenanceSettings,
  health,
  capabilities,
  ...modelChecks,
  hooks,
  profile,
  token,
  project,
  outbox,
  hookLog,
  clock,
  workspace,
];

const client = reachingCommand({
  meta: { name: "client", description: "Check that this machine reaches its backend, and that nothing waits" },
  args: {
    timeout: { type: "string", description: "Seconds for each check", default: "5", valueHint: "seconds" },
  },
  async run(args, { env, output, name }) {
    const timeoutMs = readSeconds(args.timeout) * 1000;
    const config = readConfig(env, args);
    const startedAt = new Date();
    const remote = config.remote && { reach: config.remote, backend: openReach(config.remote) };
    const model = await openModel(env);
    const inspected = {
      env,
      remote,
      outbox: openOutbox(config),
      home: homedir(),
      cwd: process.cwd(),
      dbPath: config.dbPath,
      backupDir: config.backupDir,
      model,
      dataDir: config.dataDir,
      claudeDir: claudeFolder(env),
      claudeFile: claudeUserFile(env),
      claudeSettings: settingsFile(env),
      roots: env.CHEST_ROOTS?.split(delimiter).filter(Boolean),
    };
    const results = await output.working("asking", (showProgress) =>
      runChecks(CLIENT_CHECKS, inspected, {
        timeoutMs,
        again: "chest-index doctor client --verbose --timeout 30",
        onDone: (done) => showProgress(`${done} of ${CLIENT_CHECKS.length}`),
      }),
    );
    remote?.backend.close();
    await model.close();
    const report = reportOf("client", startedAt, results, name);
    tell(report, output);
    output.document(report);
    return report.exit_code;
  },
});

const server = reachingCommand({
  meta: { name: "server", description: "Check the backend: in a container, as a process, or remotely" },
  args: {
    container: { type: "string", description: `Its container; ${CONTAINER} by default`, valueHint: "name" },
    timeout: { type: "string", description: "Seconds for each check", default: "15", valueHint: "seconds" },
  },
  async run(args, { env, output, name }) {
    const timeoutMs = readSeconds(args.timeout) * 1000;
    const startedAt = new Date();
    const { openInspectedServer } = await import("../../doctor/server/open.ts");
    const { findServer } = await import("../../doctor/server/find.ts");
    const { SERVER_CHECKS } = await import("../../doctor/server/index.ts");
    const container = { name: args.container ?? CONTAINER, isAsked: args.container !== undefined };
    const inspected = openInspectedServer(await findServer(env, args, container));
    const results = await output.working("asking", (showProgress) =>
      runChecks(SERVER_CHECKS, inspected, {
        timeoutMs,
        again: "chest-index doctor server --verbose --timeout 120",
        onDone: (done) => showProgress(`${done} of ${SERVER_CHECKS.length}`),
      }),
    );
    inspected.backend.close();
    const report = reportOf("server", startedAt, results, name);
    tell(report, output);
    output.document(report);
    return report.exit_code;
  },
});

export const doctor = commandGroup({
  meta: { name: "doctor", description: "Find out what is wrong and how to fix it" },
  subCommands: { server, client },
});

/** Describes this machine's model from its files, without loading it. */
async function openModel(env: Shell["env"]) {
  const [{ readModelsConfig }, { openEmbedders }] = await Promise.all([
    import("../../connect/models-config.ts"),
    import("@chest/models"),
  ]);
  const { embedder, modelsDir } = readModelsConfig(env);
  const { identity, model, isOff = false } = embedder;
  const opened = openEmbedders(embedder, { modelsDir });
  return {
    identity,
    isOff,
    isNamed: model !== undefined,
    isWanted: model !== undefined || env.CHEST_CLIENT_EMBED === "true",
    of: opened.of,
    close: opened.close,
  };
}

function readSeconds(value: string): number {
  const seconds = Number(value);
  if (/^\d+(\.\d+)?$/.test(value) && seconds > 0 && seconds <= 300) return seconds;
  throw new UsageError(
    `\`--timeout ${value}\` is not a number of seconds between 0 and 300`,
    "leave it out for the default",
  );
}
