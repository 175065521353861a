import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ourServers, SERVER } from "../../agents/registration.ts";
import { asWord } from "../../shell-words.ts";
import type { Check, Finding } from "../check.ts";
import { type ClientPatient, parseFix } from "./patient.ts";

const entry = z.looseObject({
  command: z.string().optional(),
  url: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const settings = z.looseObject({ mcpServers: z.record(z.string(), entry).optional() });

type Entry = z.infer<typeof entry>;
type Read = "absent" | "broken" | { readonly ours: Entry | undefined; readonly name: string | undefined };

/** What a settings file registers of ours: the stdio client by its program, or a backend by its `/mcp`. */
async function readSettings(file: string): Promise<Read> {
  const text = await readFile(file, "utf8").catch(() => undefined); // Most people have one of the two.
  if (text === undefined) return "absent";
  try {
    const { mcpServers = {} } = settings.parse(JSON.parse(text));
    const [name] = ourServers(mcpServers);
    return { name, ours: name === undefined ? undefined : mcpServers[name] };
  } catch {
    return "broken";
  }
}

const projectFile = ({ cwd }: ClientPatient) => join(cwd, ".mcp.json");
const userFile = ({ claudeFile }: ClientPatient) => claudeFile;
const broken = (file: string): Finding => ({
  status: "fail",
  message: `\`${file}\` is no JSON that registers servers: the agent ignores all of it`,
  fix: parseFix(file),
});

const project: Check<ClientPatient> = {
  id: "client.mcp.project",
  title: "this folder registers the client",
  async run(patient) {
    const file = projectFile(patient);
    const read = await readSettings(file);
    if (read === "broken") return broken(file);
    if (read === "absent") return { status: "skip", message: "there is no .mcp.json here" };
    if (!read.ours) return { status: "skip", message: "its .mcp.json registers other servers only" };
    return { status: "ok", message: file };
  },
};

const user: Check<ClientPatient> = {
  id: "client.mcp.user",
  title: "an agent of this user finds the client",
  async run(patient) {
    const [here, read] = await Promise.all([readSettings(projectFile(patient)), readSettings(userFile(patient))]);
    if (read === "broken") return broken(userFile(patient));
    if (typeof read === "object" && read.ours) return { status: "ok", message: userFile(patient) };
    if (typeof here === "object" && here.ours)
      return { status: "ok", message: "this folder registers it, and that is enough" };
    return {
      status: "fail",
      message: "neither this folder's .mcp.json nor ~/.claude.json registers it",
      fix: "chest-index setup --yes",
    };
  },
};

const duplicate: Check<ClientPatient> = {
  id: "client.mcp.duplicate",
  title: "it is registered once",
  async run(patient) {
    const [here, there] = await Promise.all([readSettings(projectFile(patient)), readSettings(userFile(patient))]);
    const both = [here, there].map((read) => (typeof read === "object" ? read.ours : undefined));
    const [first, second] = both;
    if (!first || !second) return { status: "ok", message: "it is" };
    const name = typeof here === "object" ? here.name : undefined;
    const fix = `claude mcp remove --scope project ${asWord(name ?? SERVER)}`;
    const target = ({ url, env = {} }: Entry) => url ?? `${env.CHEST_MODE ?? "local"} ${env.CHEST_REMOTE_URL ?? ""}`;
    return target(first) === target(second)
      ? { status: "warn", message: "this folder and the user's settings both register it", fix }
      : { status: "fail", message: "this folder and the user's settings register it with different stores", fix };
  },
};

export const mcpChecks = [project, user, duplicate];
