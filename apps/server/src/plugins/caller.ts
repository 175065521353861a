import { createHash, hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  ChestError,
  decodeProjectHeader,
  HEADERS,
  isIdempotencyKey,
  isSessionId,
  readClientHeader,
  type StatedClient,
} from "@chest/contracts";
import {
  type Caller,
  type Client,
  nameTrouble,
  projectKeyOf,
  projectKeyTrouble,
  UNSTATED_CLIENT,
} from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { readTimeZone } from "@chest/core/moments";
import { RELEASE } from "@chest/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Identity } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes that require a token. */
    caller: Caller | undefined;
  }
}

/** Reads a header that was sent once. A repeated header, which Node gives as a list or joined, counts as absent. */
const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

/** Reads the header with which a client names itself; text that does not parse or cannot be stored is ignored. */
export function statedClient(header: string | string[] | undefined): StatedClient | undefined {
  const stated = readClientHeader(single(header));
  const isStorable = [stated?.name, stated?.version, stated?.machine, stated?.agent].every(
    (text = "") => nameTrouble(text) === undefined,
  );
  return isStorable ? stated : undefined;
}

/**
 * Builds the caller. Member and rights come from the token; project, session, client and zone come from headers. Throws
 * for an invalid project; an unknown zone is ignored.
 */
export function readCaller(headers: IncomingHttpHeaders, identity: Identity): Caller {
  const stated = statedClient(headers[HEADERS.client]);
  const session = readSession(single(headers[HEADERS.session]));
  return {
    ...identity,
    project: readProject(single(headers[HEADERS.project])),
    timeZone: readTimeZone(single(headers[HEADERS.timeZone]) ?? ""),
    client: {
      ...clientOf(stated, identity, headers["user-agent"]),
      session,
      inferred: session === undefined ? { origin: originOf(stated, headers["user-agent"]) } : undefined,
    },
  };
}

/**
 * Names the client: by its own header, as the page, or by the first product of its `User-Agent` if that can be stored.
 */
function clientOf(stated: StatedClient | undefined, { token }: Identity, userAgent = ""): Client {
  if (token?.signIn) return PAGE_CLIENT;
  if (stated) return { name: stated.name, version: stated.version, machine: stated.machine, agent: stated.agent };
  const [, name, version] = PRODUCT.exec(userAgent) ?? [];
  if (name === undefined || version === undefined) return UNSTATED_CLIENT;
  return nameTrouble(`${name}/${version}`) === undefined ? { name, version } : UNSTATED_CLIENT;
}

const PRODUCT = /^([\w.-]{1,60})\/([\w.+-]{1,30})(?= |$)/;
/** Client name of this backend's page in a signed-in browser. */
export const PAGE_CLIENT: Client = { name: "chest-page", version: RELEASE };

/** Tells clients apart by their headers. The result is a digest, since it becomes part of a session's id. */
function originOf(stated: StatedClient | undefined, userAgent: string | undefined): string {
  const parts = stated ? [stated.name, stated.machine, stated.agent] : [userAgent];
  return hash("sha256", JSON.stringify(parts)).slice(0, 16);
}

/**
 * Reads the project header. An invalid one is refused: ignoring it would share a project's memory with the whole team.
 */
function readProject(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const text = decodeProjectHeader(header);
  const trouble = text === undefined ? "is not percent-encoded UTF-8" : projectKeyTrouble(text);
  if (text === undefined || trouble !== undefined) {
    const hint =
      "send the project's key percent-encoded, at most 200 characters long, or leave the header out for the team";
    throw badHeader("X-Chest-Project", trouble ?? "", hint);
  }
  return projectKeyOf(text).toWellFormed();
}

function readSession(header: string | undefined): string | undefined {
  if (!header) return undefined;
  const trouble = isSessionId(header) ? nameTrouble(header) : "is not 1 to 128 visible ASCII characters";
  if (trouble !== undefined) throw badHeader("X-Chest-Session", trouble, "send an opaque id, such as a UUID");
  return header;
}

/** Builds the call of a tool from a request. */
export function callOf(request: FastifyRequest, reply: FastifyReply): Call {
  const { caller } = request;
  if (!caller) throw new Error("an open route has no caller");
  return {
    caller,
    requestId: request.id,
    signal: signalOf(reply),
    idempotencyKey: readIdempotencyKey(request.headers[HEADERS.idempotencyKey]),
    onReplay: () => {
      reply.header(HEADERS.idempotencyReplayed, "true");
    },
  };
}

/** Builds a call for a request that writes. Its idempotency key covers the route with all inputs. */
export function writeCallOf(request: FastifyRequest, reply: FastifyReply): Call {
  const { method, routeOptions, params, query, body } = request;
  const call = callOf(request, reply);
  return {
    ...call,
    request: {
      tool: `${method} ${routeOptions.url}`,
      input: { params, query, body: Buffer.isBuffer(body) ? digestOf(body, call) : body },
    },
  };
}

/** Hashes a body of raw lines, up to 50 MB, only where an idempotency key needs it for comparison. */
const digestOf = (lines: Buffer, { idempotencyKey }: Call): string | undefined =>
  idempotencyKey === undefined ? undefined : createHash("sha256").update(lines).digest("hex");

/**
 * Aborts when the client disconnects before its answer, or was answered with a timeout. Fastify's own signal aborts as
 * soon as the body is read.
 */
function signalOf({ raw, request }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished || request.isLate) left.abort();
  });
  return left.signal;
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && isIdempotencyKey(header)) return header;
  const hint = "send one UUID for each intended write";
  throw badHeader("Idempotency-Key", "is not 1 to 255 visible ASCII characters", hint);
}

const badHeader = (name: string, trouble: string, hint: string): ChestError =>
  new ChestError("VALIDATION_ERROR", `\`${name}\` ${trouble}`, {
    hint,
    details: { issues: [{ path: name, message: trouble }] },
  });
