import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Backend, startBackend } from "../backend.ts";
import { type Address, connectHttpClient, type Door, mcpDoor, restDoor, trust } from "../clients/doors.ts";
import { connectStdioClient, type StdioClient } from "../clients/stdio-client.ts";
import { startTlsProxy } from "./nginx.ts";

/** Backend behind nginx with TLS, and clients connected to it. */
export interface Deployment extends Address {
  readonly backend: Backend;
  /** Certificate authority of its certificate. */
  readonly caFile: string;
  /** Connects another agent on another machine: the built client with a new data folder. */
  connectStdio(project?: string, env?: NodeJS.ProcessEnv): Promise<StdioClient>;
  /** Opens each kind of transport once. */
  openDoors(): Promise<Record<"stdio" | "/mcp" | "REST", Door>>;
  /** Ends all programs that were started. */
  stop(): Promise<void>;
}

export async function startDeployment(env: NodeJS.ProcessEnv = {}): Promise<Deployment> {
  const dir = await mkdtemp(join(tmpdir(), "chest-deployment-"));
  const backend = await startBackend({ env });
  const proxy = await startTlsProxy({ upstream: backend.url, dir: await mkdtemp(join(dir, "nginx-")) });
  await trust(proxy.caFile);
  const address = { url: proxy.url, token: backend.token };
  const closers: (() => Promise<void>)[] = [];

  const connectStdio = async (project = "chest-e2e", more: NodeJS.ProcessEnv = {}) => {
    const client = await connectStdioClient({
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: proxy.url,
        CHEST_API_TOKEN: backend.token,
        CHEST_CA_FILE: proxy.caFile,
        CHEST_DATA_DIR: await mkdtemp(join(dir, "client-")),
        CHEST_PROJECT: project,
        ...more,
      },
    });
    closers.push(client.stop);
    return client;
  };

  return {
    ...address,
    backend,
    caFile: proxy.caFile,
    connectStdio,
    async openDoors() {
      const [stdio, http] = await Promise.all([connectStdio(), connectHttpClient(address)]);
      closers.push(() => http.close());
      return { stdio: mcpDoor(stdio.client), "/mcp": mcpDoor(http), REST: restDoor(address) };
    },
    async stop() {
      await Promise.all(closers.map((close) => close()));
      await proxy.stop();
      await backend.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
