import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";
import type { Check, Finding } from "../check.ts";
import { judgeCompose } from "./compose-files.ts";
import type { InspectedServer } from "./target.ts";

const run = promisify(execFile);
const ANSWER_MS = 4000;

const inspected = z.array(
  z.object({
    // An unreadable time counts as now, so that no file is newer than its container.
    Created: z.coerce.date().catch(() => new Date()),
    Config: z.object({
      Image: z.string(),
      Env: z.array(z.string()).nullable().default([]),
      Labels: z.record(z.string(), z.string()).nullable().default({}),
    }),
    State: z.object({ Status: z.string(), Health: z.object({ Status: z.string() }).optional() }),
    NetworkSettings: z.object({
      Ports: z.record(z.string(), z.array(z.object({ HostIp: z.string(), HostPort: z.string() })).nullable()),
    }),
    Mounts: z.array(z.object({ Type: z.string(), Destination: z.string(), Name: z.string().optional() })).default([]),
  }),
);

export interface Container {
  readonly image: string;
  readonly env: ReadonlyMap<string, string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly status: string;
  readonly createdAt: Date;
  /** Host addresses that port 8765/tcp is published on. */
  readonly publishedOn: readonly string[];
  /** Undefined without a health check. */
  readonly health: string | undefined;
  /** `http://127.0.0.1:PORT` of the published port 8765/tcp. */
  readonly url: string | undefined;
  /** Folder of the host, or a named volume; an unnamed volume is lost with its container. */
  readonly isDataKept: boolean;
}

export interface Docker {
  /** Undefined without such a container. */
  inspect(name: string): Promise<Container | undefined>;
  exec(name: string, command: readonly string[]): Promise<string>;
}

/** Connects to this machine's docker; undefined without docker, or when its daemon does not answer. */
export async function openDocker(): Promise<Docker | undefined> {
  const ask = (args: readonly string[]) => run("docker", args, { timeout: ANSWER_MS });
  try {
    await ask(["info", "--format", "{{.ServerVersion}}"]);
  } catch {
    return undefined; // Docker is not installed, not allowed or down; the other checks use HTTP.
  }
  const known = new Map<string, Promise<Container | undefined>>();
  return {
    inspect(name) {
      const container = known.get(name) ?? look(ask, name);
      known.set(name, container);
      return container;
    },
    exec: async (name, command) => (await ask(["exec", name, ...command])).stdout,
  };
}

async function look(
  ask: (args: readonly string[]) => Promise<{ stdout: string }>,
  name: string,
): Promise<Container | undefined> {
  const answer = await ask(["container", "inspect", name]).catch(() => undefined); // No container has this name.
  const [found] = answer ? inspected.parse(JSON.parse(answer.stdout)) : [];
  if (!found) return undefined;
  const { Created, Config, State, NetworkSettings, Mounts } = found;
  const ports = NetworkSettings.Ports["8765/tcp"] ?? [];
  const [published] = ports;
  const host = published && (/^(0\.0\.0\.0|::|)$/.test(published.HostIp) ? "127.0.0.1" : published.HostIp);
  return {
    image: Config.Image,
    env: new Map((Config.Env ?? []).map((line) => line.split(/=(.*)/s, 2) as [string, string])),
    labels: Config.Labels ?? {},
    status: State.Status,
    createdAt: Created,
    publishedOn: ports.map(({ HostIp }) => HostIp),
    health: State.Health?.Status,
    url: published && `http://${host}:${published.HostPort}`,
    isDataKept: Mounts.some(({ Destination, Name = "" }) => Destination === "/data" && !/^[0-9a-f]{64}$/.test(Name)),
  };
}

const NO_DOCKER: Finding = { status: "skip", message: "no docker here, or its daemon does not answer" };
const ABSENT: Finding = { status: "skip", message: "there is no such container: the server runs outside of it" };

/** Inspects the container if there is one. A missing container is a failure only when the user named it. */
function inContainer(judge: (container: Container, inspected: InspectedServer) => Finding | Promise<Finding>) {
  return async (inspected: InspectedServer): Promise<Finding> => {
    const { name, isAsked } = inspected.container;
    const docker = await inspected.docker();
    if (!docker) return isAsked ? { status: "fail", message: NO_DOCKER.message, fix: "docker info" } : NO_DOCKER;
    const container = await docker.inspect(name);
    if (container) return judge(container, inspected);
    if (!isAsked) return ABSENT;
    return { status: "fail", message: `there is no container \`${name}\``, fix: "docker ps -a --format '{{.Names}}'" };
  };
}

export const dockerChecks: readonly Check<InspectedServer>[] = [
  {
    id: "server.docker.daemon",
    title: "docker answers",
    async run({ docker, container }) {
      if (await docker()) return { status: "ok", message: "it does" };
      return container.isAsked ? { status: "fail", message: NO_DOCKER.message, fix: "docker info" } : NO_DOCKER;
    },
  },
  {
    id: "server.docker.container",
    title: "the container runs",
    run: inContainer(({ status }, { container: { name } }) =>
      status === "running"
        ? { status: "ok", message: `\`${name}\` is running` }
        : { status: "fail", message: `\`${name}\` is ${status}`, fix: `docker start ${name}` },
    ),
  },
  {
    id: "server.docker.health",
    title: "its health check passes",
    run: inContainer(({ health }, { container: { name } }) => {
      if (health === undefined) return { status: "skip", message: "it has no health check" };
      if (health === "healthy") return { status: "ok", message: health };
      const status = health === "starting" ? "warn" : "fail";
      return { status, message: `it is ${health}`, fix: `docker logs --tail 50 ${name}` };
    }),
  },
  {
    id: "server.compose.override",
    title: "the files it was started with are there, and applied",
    run: inContainer(judgeCompose),
  },
  {
    id: "server.compose.deploy_files",
    title: "the image holds the skill and the rules for agents",
    run: inContainer(async (_container, { docker, container: { name } }) => {
      const script =
        "for (const f of ['skills/chest-memory/SKILL.md', 'rules/chest-memory.md']) if (!require('fs').existsSync('/opt/chest/apps/mcp/dist/claude/' + f)) console.log(f)";
      const missing =
        (await (await docker())?.exec(name, ["node", "-e", script]))?.trim().split("\n").filter(Boolean) ?? [];
      if (missing.length === 0) return { status: "ok", message: "they are there" };
      return { status: "warn", message: `missing: ${missing.join(", ")}`, fix: "docker compose build --pull" };
    }),
  },
];

export const mode: Check<InspectedServer> = {
  id: "server.env.mode",
  title: "the container is a backend, not a client of one",
  async run({ docker, container }) {
    const found = await (await docker())?.inspect(container.name);
    if (!found) return { status: "ok", message: "a backend ignores CHEST_MODE" };
    const modeInContainer = found.env.get("CHEST_MODE");
    if (!modeInContainer || modeInContainer === "local") return { status: "ok", message: modeInContainer ?? "not set" };
    return {
      status: "fail",
      message: `CHEST_MODE=${modeInContainer} is set in the container`,
      fix: "grep -rn CHEST_MODE .env compose*.yaml",
    };
  },
};
