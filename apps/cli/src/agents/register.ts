import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type Env, StartError } from "@chest/runtime";
import { claudeMcp } from "./claude/claude-mcp.ts";
import { type AgentClient, CLAUDE_CODE } from "./clients.ts";
import type { Change } from "./edit-file.ts";
import { damaged, isRecord, readJsonc, setInJsonc } from "./jsonc.ts";
import { type ConfigurationOptions, editConfiguration, noteOn } from "./made-files.ts";
import { addedTo, isAs, keysBeside, ourServers, type Registration, SERVER } from "./server-entry.ts";
import type { Step } from "./step.ts";
import { readToml, setInToml } from "./toml.ts";

export interface RegisterOptions extends ConfigurationOptions {
  readonly env: Env;
}

/** Has an agent start our server: by its own command where there is one, else in its configuration. */
export async function register(
  client: AgentClient,
  wanted: Registration,
  { env, isDry, dataDir }: RegisterOptions,
): Promise<Step> {
  const path = client.file(env);
  const before = entryIn(client, textOf(path), path);
  if (isAs(before.entry, wanted)) return stepOf(client, "unchanged", path);
  const whole = { ...wanted, env: { ...wanted.env, ...addedTo(before.entry) } };
  const isTold = client === CLAUDE_CODE && !isDry && (await claudeMcp(env, before, whole));
  // What a command says it did is looked at, not believed; and it knows nothing of what the user added.
  const edit = (text: string | undefined) => withEntry(client, text, path, whole, before.entry);
  const outcome = await editConfiguration(path, edit, { isDry, dataDir });
  const note = isTold && outcome === "unchanged" ? "by `claude mcp add`" : undefined;
  return stepOf(client, before.entry === undefined ? "added" : "updated", path, note);
}

/** Takes every entry of ours out of an agent's configuration. */
export async function unregister(client: AgentClient, { env, isDry, dataDir }: RegisterOptions): Promise<Step> {
  const path = client.file(env);
  const before = entryIn(client, textOf(path), path);
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
  return stepOf(client, outcome, path, outcome === "removed" ? noteOn(change, rest) : undefined);
}

/** Reads our entry in an agent's configuration; undefined when absent, or when the file is damaged. */
export function entryOf(client: AgentClient, env: Env): unknown {
  const path = client.file(env);
  try {
    return entryIn(client, textOf(path), path).entry;
  } catch (error) {
    if (error instanceof StartError) return undefined; // Registering says what is wrong with it.
    throw error;
  }
}

/** Whether an agent starts something of ours; a configuration that cannot be read may say so. */
export function mayHaveOurs(client: AgentClient, env: Env): boolean {
  const path = client.file(env);
  try {
    return entryIn(client, textOf(path), path).entry !== undefined;
  } catch {
    return true;
  }
}

const stepOf = ({ name }: AgentClient, outcome: Change, path: string, note?: string): Step => ({
  step: `server for ${name}`,
  outcome,
  path,
  ...(note ? { note } : {}),
});

const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** Ours by our name, else by what it starts; the name it has, or shall have. */
function entryIn(client: AgentClient, text: string | undefined, path: string) {
  const servers = serversIn(client, text, path);
  const ours = ourServers(servers);
  const name = ours.includes(SERVER) ? SERVER : (ours[0] ?? SERVER);
  return { name, entry: servers[name] };
}

function serversIn({ format, key }: AgentClient, text: string | undefined, path: string) {
  const read = format === "toml" ? readToml(text, path) : readJsonc(text, path);
  const servers = read[key] ?? {};
  if (!isRecord(servers)) throw damaged(path, `\`${key}\` is no table of servers`);
  return servers;
}

function withEntry(
  client: AgentClient,
  text: string | undefined,
  path: string,
  { command, args, env }: Registration,
  before: unknown,
): string | undefined {
  const { name, entry } = entryIn(client, text, path);
  const value = {
    ...(client.statesType ? { type: "stdio" } : {}),
    command,
    args: [...args],
    env: { ...addedTo(entry), ...env },
    ...keysBeside(before),
    ...keysBeside(entry),
  };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(entry ?? {})), value)
    ? text
    : set(client, text, name, value, path);
}

function withoutOurs(client: AgentClient, text: string | undefined, path: string): string | undefined {
  if (text === undefined) return undefined;
  return ourServers(serversIn(client, text, path)).reduce<string>(
    (rest, name) => set(client, rest, name, undefined, path),
    text,
  );
}

function set(
  { format, key }: AgentClient,
  text: string | undefined,
  name: string,
  value: Readonly<Record<string, unknown>> | undefined,
  path: string,
): string {
  if (format === "toml") return setInToml(text, [key, name], value, path);
  const isLast = value === undefined && Object.keys(readJsonc(text, path)[key] ?? {}).length === 1;
  return setInJsonc(text, isLast ? [key] : [key, name], value);
}
