import { ChestError } from "@chest/contracts";

/** Reasons why a request got no answer. */
export type Reason =
  | "refused"
  | "name"
  | "unreachable"
  | "connect-timeout"
  | "timeout"
  | "stuck"
  | "reset"
  | "authority"
  | "expired"
  | "wrong-name"
  | "not-tls"
  | "proxy"
  | "gateway"
  | "closing";

interface Account {
  /** Event, to stand after "no answer from URL:". */
  readonly says: string;
  /** Hint, to stand before the command that tells more. */
  readonly hint: string;
}

const ACCOUNTS: Readonly<Record<Reason, Account>> = {
  refused: { says: "nothing listens there", hint: "start the backend, or correct its address" },
  name: { says: "the name does not resolve", hint: "correct the address or the DNS" },
  unreachable: { says: "no route to the host", hint: "check the network and the VPN" },
  "connect-timeout": {
    says: "no connection within 2 s",
    hint: "check the address, the firewall and HTTPS_PROXY",
  },
  timeout: { says: "no answer in time", hint: "the backend is busy or stuck: try again" },
  stuck: {
    says: "nor does it answer /healthz",
    hint: "the backend or a proxy hangs: calls end at once until it answers",
  },
  reset: { says: "the connection was cut", hint: "the backend or a proxy ended it: try again" },
  authority: {
    says: "its certificate is from an unknown authority",
    hint: "name the authority's PEM file in CHEST_CA_FILE, or with `chest-index setup --ca-file FILE`",
  },
  expired: {
    says: "its certificate is not valid today",
    hint: "renew it, and check this machine's clock",
  },
  "wrong-name": {
    says: "its certificate is for another name",
    hint: "use that name in the address",
  },
  "not-tls": { says: "it does not speak TLS", hint: "use http:// or the TLS port" },
  proxy: {
    says: "the proxy of HTTPS_PROXY did not let it through",
    hint: "correct HTTPS_PROXY, or name the host in NO_PROXY",
  },
  gateway: {
    says: "a proxy answers, the backend behind it does not",
    hint: "start the backend, or correct the proxy's upstream",
  },
  closing: { says: "this client is ending", hint: "start it again" },
};

const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: "refused",
  ENOTFOUND: "name",
  EAI_AGAIN: "name",
  EAI_NODATA: "name",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  ETIMEDOUT: "connect-timeout",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "authority",
  UNABLE_TO_GET_ISSUER_CERT: "authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "authority",
  SELF_SIGNED_CERT_IN_CHAIN: "authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "authority",
  CERT_UNTRUSTED: "authority",
  CERT_SIGNATURE_FAILURE: "authority",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "wrong-name",
  ERR_SSL_WRONG_VERSION_NUMBER: "not-tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "not-tls",
  EPROTO: "not-tls",
  ERR_PROXY_TUNNEL: "proxy",
  UND_ERR_CONNECT_TIMEOUT: "connect-timeout",
  UND_ERR_PRX_TLS: "proxy",
};

/** Failures that last until someone fixes them or a probe succeeds: a retry only costs time. */
const LASTING: ReadonlySet<unknown> = new Set<Reason>([
  "authority",
  "expired",
  "wrong-name",
  "not-tls",
  "closing",
  "stuck",
]);

/** Failures known within milliseconds, so that a retry is cheap. */
const QUICK: ReadonlySet<unknown> = new Set<Reason>(["refused", "reset", "gateway", "stuck"]);

interface Circumstances {
  /** Status that a proxy answered instead. */
  readonly status?: number | undefined;
  /** False only if certainly no part of the request was sent. */
  readonly mayHaveArrived?: boolean;
  readonly cause?: unknown;
}

/** A request without an answer; the address is added later. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly reason: Reason;
  readonly status: number | undefined;
  readonly mayHaveArrived: boolean;

  constructor(reason: Reason, { status, mayHaveArrived = true, cause }: Circumstances = {}) {
    super(reason, { cause });
    this.reason = reason;
    this.status = status;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The answer is no HTTP, or has no end. */
export class NotHttp extends Error {
  override readonly name = "NotHttp";
}

/** Reads a failed exchange by its system or TLS code; an unknown one counts as a cut connection. */
export function readFailure(error: unknown, mayHaveArrived: boolean): NoAnswer {
  if (error instanceof NoAnswer) {
    return new NoAnswer(error.reason, { status: error.status, mayHaveArrived, cause: error });
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return new NoAnswer(REASONS[code] ?? "reset", { mayHaveArrived, cause: error });
}

export function unreachable(url: string, { reason, status, mayHaveArrived, cause }: NoAnswer): ChestError {
  const { says, hint } = ACCOUNTS[reason];
  return new ChestError("BACKEND_UNREACHABLE", `no answer from ${url}: ${says}${status ? ` (${status})` : ""}`, {
    hint: `${hint}; \`chest-index doctor client --remote-url ${url}\` tells more`,
    details: { url, reason, may_have_arrived: mayHaveArrived },
    cause,
  });
}

/** Why there was no answer, in words. */
export const accountOf = ({ reason, status }: NoAnswer): string =>
  `${ACCOUNTS[reason].says}${status ? ` (${status})` : ""}`;

/** Whether the backend may have processed a failed request. */
export const mayHaveArrived = (error: ChestError): boolean => error.details?.may_have_arrived !== false;

export const isLasting = (error: ChestError): boolean => LASTING.has(error.details?.reason);

export const isQuick = (error: ChestError): boolean => QUICK.has(error.details?.reason);
