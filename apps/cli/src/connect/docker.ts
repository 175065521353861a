import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { z } from "zod";

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
