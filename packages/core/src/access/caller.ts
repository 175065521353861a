import type { Scope } from "@chest/contracts";
import { LOCAL, type Member } from "./member.ts";
import { projectKeyOf } from "./project-key.ts";

/** Client as it states itself: recorded, never believed. */
export interface Client {
  readonly name: string;
  readonly version: string;
  readonly machine?: string | undefined;
  /** The agent that it works for. */
  readonly agent?: string | undefined;
  /** Id that the client sent. */
  readonly session?: string | undefined;
  /** Session that the store assigns to a client that sent no id. */
  readonly inferred?: InferredSession | undefined;
}

/** Facts that identify a session whose client sent no id. */
export interface InferredSession {
  /** Tells the clients of one member apart. */
  readonly origin: string;
  /** When the client began to call without a pause that would end a session; undefined for one whose writes belong to none. */
  readonly activeSince?: Date | undefined;
}

/** The token with which a caller authenticated. */
export interface CallerToken {
  readonly id: number;
  /** The only projects it opens; undefined: all that its member may open. */
  readonly projectIds: readonly number[] | undefined;
  readonly expiresAt: Date | undefined;
  /** Set for a sign-in of the page: the token that was pasted there, if one was. */
  readonly signIn?: { readonly from: number | undefined } | undefined;
}

/** Caller with its rights and its origin. */
export interface Caller {
  readonly member: Member;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined for a caller with the shared token, or with the file itself. */
  readonly token?: CallerToken | undefined;
  /** Key of the project the agent is working in; undefined for a 1.5 client, which names none. */
  readonly project: string | undefined;
  /** Did the session say so earlier, and not this call. */
  readonly isProjectRemembered?: true | undefined;
  readonly client: Client;
  /** Another member: the caller opens no more than both of them may, and so nothing that is one member's alone. */
  readonly beside?: Member | undefined;
  /** IANA name of the zone that it works in, as it says; absent: UTC. */
  readonly timeZone?: string | undefined;
}

export const UNSTATED_CLIENT: Client = { name: "unstated", version: "1.5.0" };

const MOST_LABEL = 200;

/** Names a client for the record, like `chest-memory/1.2.3 (codex 0.169)`. */
export const clientLabel = ({ name, version, agent }: Pick<Client, "name" | "version" | "agent">): string =>
  `${name}/${version}${agent === undefined ? "" : ` (${agent})`}`.slice(0, MOST_LABEL);

/** The caller of a store on one PC: all rights, since it could open the file anyway. */
export function localCaller(project: string | undefined, client: Client = UNSTATED_CLIENT): Caller {
  const scopes: Caller["scopes"] = new Set(["read", "write", "operate", "admin"]);
  return { member: LOCAL, scopes, project: project && projectKeyOf(project), client };
}
