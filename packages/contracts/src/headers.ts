/** Header names, lower case as Node reads them. */
export const HEADERS = {
  idempotencyKey: "idempotency-key",
  idempotencyReplayed: "idempotency-replayed",
  requestId: "x-request-id",
  client: "x-chest-client",
  session: "x-chest-session",
  project: "x-chest-project",
  /** IANA name of the zone that the client works in. */
  timeZone: "x-chest-time-zone",
  /** W3C trace context: what was asked is part of this span. */
  traceparent: "traceparent",
} as const;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
const SESSION = /^[\x21-\x7e]{1,128}$/;
const WIRE = /^v?\d+(\.\d+)*/i;
const CONTROL = /\p{Cc}/u;

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/;

export const isTraceparent = (text: string): boolean => TRACEPARENT.test(text);
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);
export const isIdempotencyKey = (text: string): boolean => IDEMPOTENCY_KEY.test(text);
export const isSessionId = (text: string): boolean => SESSION.test(text);

/** Client as it states itself in `X-Chest-Client`; for the record, never for rights. */
export interface StatedClient {
  readonly name: string;
  readonly version: string;
  readonly wire: string;
  readonly machine?: string | undefined;
  readonly agent?: string | undefined;
}

/** `chest-memory/0.1.0; wire=1.6.0; machine=…; agent=…`; undefined when it does not parse. */
export function readClientHeader(header: string | undefined): StatedClient | undefined {
  if (header === undefined || header.length > 512 || CONTROL.test(header)) return undefined;
  const [product = "", ...parameters] = header.split(";").map((part) => part.trim());
  const [name, version] = product.split("/");
  if (!name || !version) return undefined;
  const stated = new Map<string, string>();
  for (const parameter of parameters) {
    const at = parameter.indexOf("=");
    if (at > 0) stated.set(parameter.slice(0, at), parameter.slice(at + 1));
  }
  const wire = stated.get("wire") ?? "";
  return {
    name,
    version,
    // A client that states no version, or an unreadable one, is of 1.5.
    wire: WIRE.test(wire) ? wire : "1.5.0",
    machine: stated.get("machine"),
    agent: stated.get("agent"),
  };
}

export function writeClientHeader({ name, version, wire, machine, agent }: StatedClient): string {
  const parts = [`${name}/${version}`, `wire=${wire}`];
  if (machine) parts.push(`machine=${machine}`);
  if (agent) parts.push(`agent=${agent.replace(/[^\x20-\x3a\x3c-\x7e]/g, "_").slice(0, 120)}`);
  return parts.join("; ");
}

let timeZone: string | undefined;

/** The zone of this process. The runtime takes milliseconds to tell it, and is asked once. */
export function ownTimeZone(): string {
  timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
  return timeZone;
}

/** The text of `X-Chest-Project`, percent-decoded; undefined when it is no such text. */
export function decodeProjectHeader(header: string): string | undefined {
  try {
    return decodeURIComponent(header);
  } catch {
    return undefined;
  }
}
