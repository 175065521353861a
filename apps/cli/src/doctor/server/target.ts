import type { Backend } from "@chest/client";
import { ChestError, type DbFacts, type HostFacts } from "@chest/contracts";
import type { Docker } from "../../connect/docker.ts";
import type { Service } from "../../connect/service.ts";
import { startHere } from "../../connect/start-command.ts";
import type { Finding } from "../check.ts";
import { fixFor } from "../client/target.ts";

/** Server under examination: a container, a process, or an address. */
export interface InspectedServer {
  readonly backend: Backend;
  /** Source of the address, described in words. */
  readonly foundBy: string;
  readonly reach: { readonly token: string | undefined; readonly ca: string | undefined };
  readonly container: { readonly name: string; readonly isAsked: boolean };
  /** Undefined without docker, or when it does not answer. */
  readonly docker: () => Promise<Docker | undefined>;
  /** The service by which this machine runs it; undefined without one. */
  readonly service: () => Promise<Service | undefined>;
  /** The whole database looked through: by the backend, or, where none answers, in its file. */
  readonly database: () => Promise<Source<DbFacts>>;
  /** Facts from the backend about itself and its machine. */
  readonly host: () => Promise<Source<HostFacts>>;
  /** Path of the newest backup on this machine; undefined for a remote server, or without a backup. */
  readonly newestBackup: () => Promise<string | undefined>;
  readonly now: () => Date;
}

/** Facts with their source, or the reason why there are none. */
export type Source<Facts> =
  | { readonly from: "backend" | "file"; readonly facts: Facts }
  | { readonly from: "none"; readonly error: unknown }
  /** The store's file exists, but this account may not read it, so no fact is known. */
  | { readonly from: "unreadable"; readonly path: string; readonly ownerUid: number | undefined };

/** Builds a Chest command that can be run as written, wherever the server runs. */
export async function indexCommand({ docker, container }: InspectedServer, words: string): Promise<string> {
  const isInContainer = (await (await docker())?.inspect(container.name)) !== undefined;
  return isInContainer ? `docker exec ${container.name} chest-index ${words}` : `chest-index ${words}`;
}

/** Builds a Chest command that needs the store to itself, with the backend stopped around it. */
export async function offlineCommand({ docker, container }: InspectedServer, words: string): Promise<string> {
  const found = await (await docker())?.inspect(container.name);
  if (!found) return `chest-index ${words}`;
  const { name } = container;
  return `docker stop ${name} && docker run --rm --volumes-from ${name} ${found.image} chest-index ${words}; docker start ${name}`;
}

/** Turns facts of the backend or the file into a finding; without facts the finding fails or is skipped. */
export async function from<Facts>(
  source: Promise<Source<Facts>>,
  judge: (facts: Facts, from: "backend" | "file") => Finding | Promise<Finding>,
  unasked: "skip" | "fail" = "skip",
): Promise<Finding> {
  const outcome = await source;
  if (outcome.from === "unreadable")
    return { status: "skip", message: `\`${outcome.path}\` cannot be read by this account: see server.db.exists` };
  if (outcome.from !== "none") return judge(outcome.facts, outcome.from);
  const { error } = outcome;
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
