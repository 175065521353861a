import { existsSync } from "node:fs";
import { ChestError } from "@chest/contracts";
import { type Env, StartError } from "@chest/runtime";
import { profileFile } from "@chest/runtime/profile";
import { conflictCopiesOf } from "../files/conflict-copies.ts";
import { claudeVersion } from "./claude/claude-version.ts";
import { DOCUMENTS, installDocument, removeDocument } from "./claude/documents.ts";
import { settingsFile } from "./claude/folder.ts";
import {
  hasClaudeHooks,
  hookFileIn,
  installHooks,
  installProgram,
  removeHookProgram,
  removeHooks,
} from "./claude/install-hooks.ts";
import { shippedHookProgram } from "./claude/shipped.ts";
import { keepPrograms, removePrograms } from "./client-programs.ts";
import { AGENT_CLIENTS, type AgentClient, CLAUDE_CODE } from "./clients.ts";
import { editOwn, removeEmptyFolders } from "./created-files.ts";
import { shakeHands } from "./handshake.ts";
import { hasAgentHooks, hasHooksOfOurs, installAgentHooks, removeAgentHooks } from "./hooks/agent-hooks.ts";
import { installLauncher, programFor, removeLauncher } from "./launcher.ts";
import { installCommand, removeCommand } from "./own-command.ts";
import { writeProfile } from "./profile.ts";
import { mayHaveOurs, register, unregister } from "./register.ts";
import { registrationFor } from "./server-entry.ts";
import type { Step } from "./step.ts";
import { type Target, tokenFileIn } from "./target.ts";

export interface SetupPlan {
  readonly env: Env;
  readonly dataDir: string;
  readonly clients: readonly AgentClient[];
  readonly isDry: boolean;
}

const HANDSHAKE_MS = 60_000;

/** Installs all that an agent needs to remember by itself, part by part. A part that fails does not stop the others. */
export async function setUp(plan: SetupPlan, target: Target): Promise<Step[]> {
  const { env, dataDir, clients, isDry } = plan;
  const { profile, token } = target;
  const steps: Step[] = [];
  const take = async (step: string, work: () => Promise<Step | Step[]>) =>
    void steps.push(...(await attempt(step, work)));

  if (token !== undefined) {
    const path = tokenFileIn(dataDir);
    await take("token", async () => ({
      step: "token",
      outcome: await editOwn(path, () => `${token}\n`, { isDry, dataDir }),
      path,
    }));
  }
  await take("profile", () => writeProfile(dataDir, profile, isDry));
  await take("launcher", () => installLauncher({ env, dataDir, isDry, mode: profile.mode }));
  await take("programs", () => keepPrograms({ dataDir, isDry }));
  await take("command", () => installCommand({ env, dataDir, isDry }));
  for (const client of clients) steps.push(...(await connect(client, plan, target)));
  if (!isDry) {
    await take("connection", async () => {
      const note = await shakeHands(await registrationFor(profile, dataDir, env), env, HANDSHAKE_MS);
      return { step: "connection", outcome: "checked", note };
    });
  }
  return [...steps, ...conflictsBeside(steps)];
}

/** Copies that a program which syncs folders left beside the files of these steps. Setup neither reads nor changes them. */
function conflictsBeside(steps: readonly Step[]): Step[] {
  const copies = new Set(steps.flatMap(({ path }) => (path === undefined ? [] : conflictCopiesOf(path))));
  return [...copies].map((path) => ({
    step: "conflict copy",
    outcome: "skipped",
    path,
    note: "two machines changed one file: compare the two and delete the copy, which an agent may read as well",
  }));
}

/** Connects one agent: its server, and by itself recalling and remembering where it has hooks. */
export async function connect(
  client: AgentClient,
  { env, dataDir, isDry }: Omit<SetupPlan, "clients">,
  { profile }: Target,
): Promise<Step[]> {
  const wanted = await registrationFor(profile, dataDir, env);
  const steps = await attempt(`server for ${client.name}`, () => register(client, wanted, { env, isDry, dataDir }));
  if (client !== CLAUDE_CODE) {
    if (!hasAgentHooks(client.name)) return steps;
    const hooks = () => connectHooks(client, profile.mode, { env, dataDir, isDry });
    return [...steps, ...(await attempt("hooks", hooks))];
  }
  for (const document of DOCUMENTS) {
    const install = () => installDocument(env, document, { isDry, dataDir, isForced: false });
    steps.push(...(await attempt(document.name, install)));
  }
  const hooks = async () =>
    installHooks({
      settings: settingsFile(env),
      dataDir,
      isDry,
      program: shippedHookProgram(),
      node: await programFor({ env, dataDir, mode: profile.mode }),
      claudeVersion: await claudeVersion(env),
    });
  return [...steps, ...(await attempt("hooks", hooks))];
}

/**
 * Removes all that `setUp` put there; with the last agent also the profile and the token, which all agents share. The
 * store and the outbox stay.
 */
export async function removeAll({ env, dataDir, clients, isDry }: SetupPlan): Promise<Step[]> {
  const steps: Step[] = [];
  const take = async (step: string, work: () => Promise<Step | Step[]>) =>
    void steps.push(...(await attempt(step, work)));

  const others = AGENT_CLIENTS.filter((client) => !clients.includes(client));
  for (const client of clients) steps.push(...(await disconnect(client, { env, dataDir, isDry }, others)));
  const left = others.filter((client) => mayHaveOurs(client, env));
  const hooked = others.filter((client) =>
    client === CLAUDE_CODE ? hasClaudeHooks(settingsFile(env)) : hasHooksOfOurs(client.name, env),
  );
  if (hooked.length === 0 && existsSync(hookFileIn(dataDir)))
    await take("hook program", () => removeHookProgram({ isDry, dataDir }));
  const needing = [...new Set([...left, ...hooked].map(({ title }) => title))];
  if (needing.length === 0) {
    await take("launcher", () => removeLauncher({ isDry, dataDir }));
    await take("command", () => removeCommand({ isDry, dataDir }));
    await take("programs", async () => removePrograms({ isDry, dataDir }));
  }
  for (const [step, path] of [
    ["profile", profileFile(dataDir)],
    ["token", tokenFileIn(dataDir)],
  ] as const) {
    if (!existsSync(path)) continue;
    if (needing.length > 0) steps.push({ step, outcome: "unchanged", path, note: `for ${needing.join(", ")}` });
    else {
      const outcome = () => editOwn(path, () => undefined, { isDry, dataDir });
      await take(step, async () => ({ step, outcome: await outcome(), path }));
    }
  }
  if (!isDry) await take("folders", () => removeFolders(dataDir, needing.length === 0));
  return [...steps, ...conflictsBeside(steps)];
}

/** Installs the hook program, and registers it with an agent other than Claude Code. */
export async function connectHooks(
  client: AgentClient,
  mode: "local" | "remote",
  where: Omit<SetupPlan, "clients">,
): Promise<Step[]> {
  const node = await programFor({ ...where, mode });
  const program = await installProgram({ ...where, program: shippedHookProgram() });
  return [program, ...(await installAgentHooks(client.name, node, where))];
}

/** Takes out of one agent what `connect` put there. */
export async function disconnect(
  client: AgentClient,
  { env, dataDir, isDry }: Omit<SetupPlan, "clients">,
  others: readonly AgentClient[] = [],
): Promise<Step[]> {
  const steps = await attempt(`server for ${client.name}`, () => unregister(client, { env, isDry, dataDir }, others));
  if (client !== CLAUDE_CODE) {
    const hooks = () => removeAgentHooks(client.name, { env, dataDir, isDry });
    return [...steps, ...(await attempt("hooks", hooks))];
  }
  steps.push(...(await attempt("hooks", () => removeHooks({ settings: settingsFile(env), dataDir, isDry }))));
  for (const document of DOCUMENTS)
    steps.push(...(await attempt(document.name, () => removeDocument(env, document, { isDry, dataDir }))));
  return steps;
}

/** Removes the folders that setup made and that are empty now. */
async function removeFolders(dataDir: string, isLast: boolean): Promise<Step[]> {
  const gone = await removeEmptyFolders(dataDir, { isLast });
  return gone.map((path) => ({ step: "folder", outcome: "removed", path, note: "setup had made it, and it is empty" }));
}

async function attempt(step: string, work: () => Promise<Step | Step[]>): Promise<Step[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const hint = error instanceof StartError || error instanceof ChestError ? error.hint : undefined;
    return [{ step, outcome: "failed", note: error.message, ...(hint ? { hint } : {}) }];
  }
}
