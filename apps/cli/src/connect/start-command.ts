import { isLoopback } from "@chest/client";
import { startInClone, updateInClone } from "@chest/runtime/own-name";
import { commandForms } from "@chest/runtime/shell-words";
import { openDocker } from "./docker.ts";
import { serviceHere } from "./service.ts";

const DEFAULT_PORT = "8765";

/** Name that the compose file gives the container. */
export const CONTAINER = "chest-memory";

/**
 * Command that starts the backend of an address on this machine, as it is run here: in a container, by the system, or from the clone
 * that this program lies in; undefined for another machine's, and where none of them is here.
 */
export async function startCommand(url: string): Promise<string | undefined> {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (!isLoopback(hostname)) return undefined;
  const container = await (await openDocker())?.inspect(CONTAINER);
  // A stopped container publishes no port.
  if (container && (container.url === undefined || new URL(container.url).port === port)) {
    return `docker ${container.status === "running" ? "restart" : "start"} ${CONTAINER}`;
  }
  const service = await serviceHere();
  if (service) return service.start;
  const start = protocol === "http:" && pathname === "/" ? startHere() : undefined;
  return start && port !== DEFAULT_PORT ? commandForms().withVariables({ CHEST_PORT: port || "80" }, start) : start;
}

/** Command that starts a backend in the clone that contains this program; undefined outside a clone. */
export const startHere = (): string | undefined => startInClone(process.argv[1] ?? "");

/** Command that updates the clone that contains this program to the newest release; undefined outside a clone. */
export const updateHere = (): string | undefined => updateInClone(process.argv[1] ?? "");
