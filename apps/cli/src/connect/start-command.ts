import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { isLoopback } from "@chest/client";
import { startInClone, updateInClone } from "@chest/runtime/own-name";
import { openDocker } from "../doctor/server/docker.ts";

const SYSTEMD_MS = 5_000;
const DEFAULT_PORT = "8765";

/** Name that the compose file gives the container. */
export const CONTAINER = "chest-memory";

/**
 * Command that starts the backend at an address of this machine: in a container, by systemd, or from the clone that
 * contains this program. Undefined for another machine's address, or without any of the three.
 */
export async function startCommand(url: string): Promise<string | undefined> {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (!isLoopback(hostname)) return undefined;
  const container = await (await openDocker())?.inspect(CONTAINER);
  // A stopped container publishes no port.
  if (container && (container.url === undefined || new URL(container.url).port === port)) {
    return `docker ${container.status === "running" ? "restart" : "start"} ${CONTAINER}`;
  }
  if (await hasUnit()) return "sudo systemctl start chest";
  const start = protocol === "http:" && pathname === "/" ? startHere() : undefined;
  return start && port !== DEFAULT_PORT ? `CHEST_PORT=${port || "80"} ${start}` : start;
}

/** Command that starts a backend in the clone that contains this program; undefined outside a clone. */
export const startHere = (): string | undefined => startInClone(process.argv[1] ?? "");

/** Command that updates the clone that contains this program to the newest release; undefined outside a clone. */
export const updateHere = (): string | undefined => updateInClone(process.argv[1] ?? "");

/** Tells whether systemd has this unit; false also without systemd. */
export const hasUnit = (): Promise<boolean> =>
  promisify(execFile)("systemctl", ["cat", "chest.service"], { timeout: SYSTEMD_MS }).then(
    () => true,
    () => false,
  );
