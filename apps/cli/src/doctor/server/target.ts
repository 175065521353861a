import type { Backend } from "@chest/client";
import { ChestError, type DbFacts, type HostFacts } from "@chest/contracts";
import type { Service } from "../../connect/service.ts";
import { startHere } from "../../connect/start-command.ts";
import type { Finding } from "../check.ts";
import { fixFor } from "../client/target.ts";
import type { Docker } from "./docker.ts";

/** The server that is looked at: a container, a process, or an address. */
export interface InspectedServer {
  readonly backend: Backend;
  /** Origin of the address, in words. */
  readonly foundBy: string;
  readonly reach: { readonly token: string | undefined; readonly ca: string | undefined };
  readonly container: { readonly name: string; readonly isAsked: boolean };
  /** Undefined: no docker here, or none that answers. */
  readonly docker: () => Promise<Docker | undefined>;
  /** The service by which this machine runs it; undefined without one. */
  readonly service: () => Promise<Service | undefined>;
  /** The whole database looked through: by the backend, or, where none answers, in its file. */
  readonly database: () => Promise<Source<DbFacts>>;
  /** Facts that the backend gives about itself and its machine. */
  readonly host: () => Promise<Source<HostFacts>>;
  /** Path of the newest backup on this machine; undefined from afar, or without one. */
  readonly newestBackup: () => Promise<string | undefined>;
  readonly now: () => Date;
}

/** Facts with their source, or the reason why there are none. */
export type Source<Facts> =
  | { readonly from: "backend" | "file"; readonly facts: Facts }
  | { readonly from: "none"; readonly error: unknown }
  /** The store's file is there, and this account may not read it: nothing can be said of it. */
  | { readonly from: "unreadable"; readonly path: string; readonly ownerUid: number | undefined };

/** A command of ours that can be run as written, wherever the server is. */
export async function indexCommand({ docker, container }: InspectedServer, words: string): Promise<string> {
  const isInContainer = (await (await docker())?.inspect(container.name)) !== undefined;
  return isInContainer ? `docker exec ${container.name} chest-index ${words}` : `chest-index ${words}`;
}

/** The same with the store to itself: the backend is stopped around it. */
export async function offlineCommand({ docker, container }: InspectedServer, words: string): Promise<string> {
  const found = await (await docker())?.inspect(container.name);
  if (!found) return `chest-index ${words}`;
  const { name } = container;
  return `docker stop ${name} && docker run --rm --volumes-from ${name} ${found.image} chest-index ${words}; docker start ${name}`;
}

/** A finding out of what the backend or the file says; fails, or skips, where neither does. */
export async function from<Facts>(
  source: Promise<Source<Facts>>,
  judge: (facts: Facts, from: "backend" | "file") => Finding | Promise<Finding>,
  unasked: "skip" | "fail" = "skip",
): Promise<Finding> {
  const told = await source;
  if (told.from === "unreadable")
    return { status: "skip", message: `\`${told.path}\` cannot be read by this account: see server.db.exists` };
  if (told.from !== "none") return judge(told.facts, told.from);
  const { error } = told;
  if (!(error instanceof ChestError)) throw error;
  const message = [error.message, error.hint].filter(Boolean).join("\n");
  if (unasked === "skip") return { status: "skip", message: `the backend could not be asked: ${error.message}` };
  return { status: "fail", message, fix: fixFor(error) };
}

export const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0)} MB`;

export const restartCommand = (inspected: InspectedServer): Promise<string> => serviceCommand(inspected, "restart");
export const startCommand = (inspected: InspectedServer): Promise<string> => serviceCommand(inspected, "start");

/** Command for the way in which the server runs here: in a container, by the system, or from a clone. */
async function serviceCommand({ docker, container, service }: InspectedServer, verb: "start" | "restart") {
  if (await (await docker())?.inspect(container.name)) return `docker ${verb} ${container.name}`;
  return (await service())?.[verb] ?? startHere() ?? "npm start";
}
