interface Kind {
  readonly status: number;
  /** May the same request be sent again: at once, never, or after the delay the answer names. */
  readonly retry: "yes" | "no" | "after-delay";
}

/** Every code that crosses a wire, with its HTTP status and whether a repeat can help. */
export const ERRORS = {
  VALIDATION_ERROR: { status: 400, retry: "no" },
  INVALID_INPUT: { status: 400, retry: "no" },
  UNAUTHORIZED: { status: 401, retry: "no" },
  FORBIDDEN: { status: 403, retry: "no" },
  OUTSIDE_ROOTS: { status: 403, retry: "no" },
  PROTECTED: { status: 403, retry: "no" },
  DECLINED: { status: 403, retry: "no" },
  NOT_FOUND: { status: 404, retry: "no" },
  UNKNOWN_TOOL: { status: 404, retry: "no" },
  CONTENT_CHANGED: { status: 409, retry: "no" },
  VERSION_CONFLICT: { status: 409, retry: "no" },
  IDEMPOTENCY_MISMATCH: { status: 409, retry: "no" },
  ALREADY_DONE: { status: 409, retry: "no" },
  PAYLOAD_TOO_LARGE: { status: 413, retry: "no" },
  REJECTED: { status: 422, retry: "no" },
  CLIENT_TOO_OLD: { status: 426, retry: "no" },
  RATE_LIMITED: { status: 429, retry: "after-delay" },
  INTERNAL_ERROR: { status: 500, retry: "yes" },
  BACKEND_UNREACHABLE: { status: 502, retry: "yes" },
  BACKEND_PROTOCOL_ERROR: { status: 502, retry: "no" },
  UNAVAILABLE: { status: 503, retry: "after-delay" },
  STORAGE_FULL: { status: 507, retry: "no" },
} as const satisfies Record<string, Kind>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

export interface ErrorExtras {
  /** Advice to the reader. True, and safe to show to a model. */
  readonly hint?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly cause?: unknown;
}

/** A failure that its reader can act on; everything else that is thrown is a defect. */
export class ChestError extends Error {
  override readonly name = "ChestError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, { hint, details, cause }: ErrorExtras = {}) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Error shown for an unexpected failure: never its own message, which may hold stored content. */
export function internalError(requestId: string, cause: unknown): ChestError {
  return new ChestError("INTERNAL_ERROR", "the backend failed to answer this request", {
    hint: "try again; if it keeps failing, give the operator the request id",
    details: { request_id: requestId },
    cause,
  });
}
