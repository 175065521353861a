import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { readClientProfile } from "@chest/runtime/profile";
import { asWord } from "@chest/runtime/shell-words";
import { AGENT_CLIENTS, CLAUDE_CODE } from "../../agents/clients.ts";
import { entryOf } from "../../agents/register.ts";
import { isRecord } from "../../agents/settings-files/jsonc.ts";
import type { Check, Finding } from "../check.ts";
import { configuredBackendIn, projectFile, readRegistered, userFile } from "./registered.ts";
import { type InspectedClient, parseFix } from "./target.ts";

const broken = (file: string): Finding => ({
  status: "fail",
  message: `\`${file}\` is not JSON that registers servers: the agent ignores all of it`,
  fix: parseFix(file),
});

const project: Check<InspectedClient> = {
  id: "client.mcp.project",
  title: "this folder registers the client",
  async run(inspected) {
    const file = projectFile(inspected);
    const read = readRegistered(file);
    if (read === "broken") return broken(file);
    if (read === "absent") return { status: "skip", message: "there is no .mcp.json here" };
    if (!read.ours) return { status: "skip", message: "its .mcp.json registers other servers only" };
    return { status: "ok", message: file };
  },
};

const user: Check<InspectedClient> = {
  id: "client.mcp.user",
  title: "an agent of this user finds the client",
  async run(inspected) {
    if (readRegistered(userFile(inspected)) === "broken") return broken(userFile(inspected));
    const agents = AGENT_CLIENTS.filter((client) => entryOf(client, inspected.env) !== undefined);
    for (const agent of agents) {
      const program = missingProgram(entryOf(agent, inspected.env));
      if (program === undefined) continue;
      const message = `${agent.title} starts \`${program}\`, which is not there`;
      return { status: "fail", message, fix: "chest-index setup --yes" };
    }
    if (agents.length > 0)
      return { status: "ok", message: `registered with ${agents.map(({ title }) => title).join(", ")}` };
    const here = readRegistered(projectFile(inspected));
    if (typeof here === "object" && here.ours)
      return { status: "ok", message: "this folder registers it, and that is enough" };
    return { status: "fail", message: "no agent of this user registers it", fix: "chest-index setup --yes" };
  },
};

const duplicate: Check<InspectedClient> = {
  id: "client.mcp.duplicate",
  title: "it is registered once",
  async run(inspected) {
    const kept = profileOf(inspected);
    const [first, second] = [projectFile(inspected), userFile(inspected)].map((file) =>
      configuredBackendIn(file, kept),
    );
    if (!first && !second && !isWithAnother(inspected)) return { status: "skip", message: "it is not registered" };
    if (!first || !second) return { status: "ok", message: "it is" };
    const fix = `claude mcp remove --scope project ${asWord(first.server)}`;
    return first.url === second.url
      ? { status: "warn", message: "this folder and the user's settings both register it", fix }
      : { status: "fail", message: "this folder and the user's settings register it with different stores", fix };
  },
};

/** Finds the program or script of an entry if it does not exist. */
function missingProgram(entry: unknown): string | undefined {
  const { command, args } = isRecord(entry) ? entry : {};
  const scripts = Array.isArray(args) ? args.filter((word) => /\.m?js$/.test(word)) : [];
  const words: unknown[] = [command, ...scripts];
  return words.find((word): word is string => typeof word === "string" && isAbsolute(word) && !existsSync(word));
}

/** Only Claude Code reads a folder's `.mcp.json` beside its own settings, so only it can have the entry twice. */
const isWithAnother = ({ env }: InspectedClient): boolean =>
  AGENT_CLIENTS.some((client) => client !== CLAUDE_CODE && entryOf(client, env) !== undefined);

/** Another check reports a damaged file. */
function profileOf({ dataDir }: InspectedClient) {
  try {
    return readClientProfile(dataDir);
  } catch {
    return undefined;
  }
}

export const mcpChecks = [project, user, duplicate];
