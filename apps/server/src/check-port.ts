import { rmdirSync } from "node:fs";
import { createServer } from "node:net";
import { ensureFolder, StartError } from "@chest/runtime";
import type { Config } from "./config.ts";

type Address = Pick<Config["http"], "port" | "host">;

/**
 * Throws `StartError` for a folder that cannot be created or used. Folders that the check creates are removed again.
 */
export function assertFolder(folder: string): void {
  for (const made of ensureFolder(folder).toReversed()) rmdirSync(made);
}

/** Throws `StartError` when the address is not free, before a store is opened and migrated in vain. */
export async function assertAddress({ port, host }: Address): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen({ port, host }, resolve);
    });
  } catch (error) {
    throw listenError(error, { port, host });
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** Turns a failed `listen` into an error that tells the operator what to do. */
export function listenError(error: unknown, { port, host }: Address): unknown {
  const { code = "" } = error as { code?: string };
  if (code === "EADDRINUSE") {
    return new StartError(
      `port ${port} is in use on ${host}`,
      "stop what listens there, or set `CHEST_PORT` to a free port",
    );
  }
  if (code === "EACCES") {
    return new StartError(`this account may not listen on port ${port}`, "set `CHEST_PORT` above 1023");
  }
  if (/^(EADDRNOTAVAIL|ENOTFOUND|EINVAL|EAI_\w+)$/.test(code)) {
    return new StartError(
      `this machine has no address \`${host}\``,
      "set `CHEST_BIND_HOST` to one it has, or to 0.0.0.0",
    );
  }
  return error;
}
