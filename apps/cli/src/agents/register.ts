import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { isDeepStrictEqual, promisify } from "node:util";
import { type Env, StartError } from "@chest/runtime";
import { findProgram } from "@chest/runtime/programs";
import { type AgentClient, CLAUDE_CODE, fileOf } from "./clients.ts";
import { type ConfigurationOptions, editConfiguration, noteOn } from "./created-files.ts";
import { addedTo, keysBeside, matchesRegistration, ourServers, type Registration, SERVER } from "./server-entry.ts";
import type { Change } from "./settings-files/edit-file.ts";
import { damaged, isRecord, readJsonc, setInJsonc } from "./settings-files/jsonc.ts";
import { readToml, setInToml } from "./settings-files/toml.ts";
import type { Step } from "./step.ts";

export interface RegisterOptions extends ConfigurationOptions {
  readonly env: Env;
}

/** Makes an agent start our server: by the agent's own command where it has one, else in its configuration. */
export async function register(
  client: AgentClient,
  wanted: Registration,
  { env, isDry, dataDir }: RegisterOptions,
): Promise<Step> {
  const path = fileOf(client, env);
  const before = entryIn(client, textOf(path), path);
  if (matchesRegistration(before.entry, wanted)) return stepOf(client, "unchanged", path);
  const whole = { ...wanted, env: { ...wanted.env, ...addedTo(before.entry) } };
  const isTold = client === CLAUDE_CODE && !isDry && (await claudeMcp(env, before, whole));
  // The file is read after the agent's command ran, because such commands report success wrongly and drop settings of the
  // user.
  const edit = (text: string | undefined) => withEntry(client, text, path, whole, before.entry);
  const outcome = await editConfiguration(path, edit, { isDry, dataDir });
  const note = isTold && outcome === "unchanged" ? "by `claude mcp add`" : undefined;
  return stepOf(client, before.entry === undefined ? "added" : "updated", path, note);
}

/**
 * Takes every entry of ours out of an agent's configurations, those of its older releases included.
 * @param others agents that stay connected: a file that one of them reads as well keeps its entry
 */
export async function unregister(
  client: AgentClient,
  { env, isDry, dataDir }: RegisterOptions,
  others: readonly AgentClient[] = [],
): Promise<Step[]> {
  const here = fileOf(client, env);
  const steps: Step[] = [];
  for (const path of client.files(env)) {
    const before = entryIn(client, textOf(path), path);
    if (before.entry === undefined && path !== here) continue;
    const sharing = before.entry === undefined ? undefined : others.find((other) => isSame(fileOf(other, env), path));
    if (sharing) {
      steps.push(stepOf(client, "unchanged", path, `${sharing.title} reads the same file`));
      continue;
    }
    if (client === CLAUDE_CODE && !isDry && before.entry !== undefined) await claudeMcp(env, before, undefined);
    let rest: string | undefined;
    const change = await editConfiguration(
      path,
      (text) => {
        rest = withoutOurs(client, text, path);
        return rest;
      },
      { isDry, dataDir },
    );
    const outcome = before.entry !== undefined ? "removed" : existsSync(path) ? "unchanged" : "absent";
    steps.push(stepOf(client, outcome, path, outcome === "removed" ? noteOn(change, rest) : undefined));
  }
  return steps;
}

/** Whether two paths lead to one file. */
function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false; // One of them is not there.
  }
}

/**
 * Reads our entry in an agent's configuration, as `command`, `args` and `env` or `url` and `headers`; undefined for nothing, and
 * for a configuration that is damaged.
 */
export function entryOf(client: AgentClient, env: Env): unknown {
  const path = fileOf(client, env);
  try {
    return entryIn(client, textOf(path), path).entry;
  } catch (error) {
    if (error instanceof StartError) return undefined; // Registering says what is wrong with it.
    throw error;
  }
}

/** Whether an agent starts something of ours; a configuration that cannot be read may say so. */
export const mayHaveOurs = (client: AgentClient, env: Env): boolean =>
  client.files(env).some((path) => {
    try {
      return entryIn(client, textOf(path), path).entry !== undefined;
    } catch {
      return true;
    }
  });

const stepOf = ({ name }: AgentClient, outcome: Change, path: string, note?: string): Step => ({
  step: `server for ${name}`,
  outcome,
  path,
  ...(note ? { note } : {}),
});

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** A table of servers in a configuration: the keys that lead to it, and its entries as `command`, `args` and `env`. */
interface Table {
  readonly keys: readonly string[];
  readonly servers: Readonly<Record<string, unknown>>;
}

/** Finds our entry by its name, else by the program that it starts; with the table and the name that it has or will have. */
function entryIn(client: AgentClient, text: string | undefined, path: string) {
  const tables = tablesIn(client, text, path);
  const holding = tables.find(({ servers }) => ourServers(servers).length > 0) ?? tables[0];
  if (!holding) throw new Error(`${client.name} names no table of servers`);
  const { keys, servers } = holding;
  const ours = ourServers(servers);
  const name = ours.includes(SERVER) ? SERVER : (ours[0] ?? SERVER);
  return { keys, name, entry: servers[name] };
}

function tablesIn(client: AgentClient, text: string | undefined, path: string): Table[] {
  const configuration = client.format === "toml" ? readToml(text, path) : readJsonc(text, path);
  return client.tables(configuration).map((keys) => ({ keys, servers: serversIn(client, configuration, keys, path) }));
}

function serversIn(
  { entry: form }: AgentClient,
  configuration: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  path: string,
): Table["servers"] {
  let servers: unknown = configuration;
  for (const [at, key] of keys.entries()) {
    servers = (servers as Readonly<Record<string, unknown>>)[key] ?? {};
    if (!isRecord(servers)) throw damaged(path, `\`${keys.slice(0, at + 1).join(".")}\` is not a table of servers`);
  }
  const entries = Object.entries(servers as Table["servers"]);
  return Object.fromEntries(entries.map(([name, entry]) => [name, form ? form.read(entry) : entry]));
}

function withEntry(
  client: AgentClient,
  text: string | undefined,
  path: string,
  { command, args, env }: Registration,
  before: unknown,
): string | undefined {
  const { keys, name, entry } = entryIn(client, text, path);
  const value = {
    ...(client.statesType ? { type: "stdio" } : {}),
    command,
    args: [...args],
    env: { ...addedTo(entry), ...env },
    ...keysBeside(before),
    ...keysBeside(entry),
  };
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(entry ?? {})), value)) return text;
  return set(client, text, [...keys, name], client.entry ? client.entry.write(value) : value, path);
}

function withoutOurs(client: AgentClient, text: string | undefined, path: string): string | undefined {
  if (text === undefined) return undefined;
  return tablesIn(client, text, path)
    .flatMap(({ keys, servers }) => ourServers(servers).map((name) => [...keys, name]))
    .reduce<string>((rest, place) => set(client, rest, place, undefined, path), text);
}

function set(
  { format }: AgentClient,
  text: string | undefined,
  place: readonly string[],
  value: Readonly<Record<string, unknown>> | undefined,
  path: string,
): string {
  if (format === "toml") return setInToml(text, [place[0] ?? "", place[1] ?? ""], value, path);
  return setInJsonc(text, value === undefined ? lastOne(readJsonc(text, path), place) : [...place], value);
}

/** The outermost place that goes with an entry: a table that holds nothing else goes with it. */
function lastOne(configuration: Readonly<Record<string, unknown>>, place: readonly string[]): string[] {
  const whole = [...place];
  for (let keys = whole.slice(0, -1); keys.length > 0; keys = keys.slice(0, -1)) {
    const table = keys.reduce<unknown>((held, key) => (isRecord(held) ? held[key] : undefined), configuration);
    if (!isRecord(table) || Object.keys(table).length > 1) break;
    whole.length = keys.length;
  }
  return whole;
}

const run = promisify(execFile);
const PATIENCE_MS = 30_000;

/**
 * Tells Claude Code by its own command, where that is on the path: it may hold its configuration open. The token is in
 * none of the words. False: there is no such command, or it did not do it.
 * @param wanted undefined: the server is taken out.
 */
async function claudeMcp(
  env: Env,
  { name, entry }: { readonly name: string; readonly entry: unknown },
  wanted: Registration | undefined,
): Promise<boolean> {
  const claude = findProgram("claude", env);
  if (!claude) return false;
  const say = (words: readonly string[]) =>
    run(claude, ["mcp", ...words], { env, timeout: PATIENCE_MS, shell: claude.endsWith(".cmd") });
  try {
    if (entry !== undefined) await say(["remove", "--scope", "user", name]);
    if (wanted)
      await say(["add", ...settingsOf(wanted), "--scope", "user", name, "--", wanted.command, ...wanted.args]);
    return true;
  } catch {
    return false; // An older command, or one that wants something first: its configuration is edited instead.
  }
}

/** Placed before another option, because it would take the server's name as one more setting. */
const settingsOf = ({ env }: Registration): string[] =>
  Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
