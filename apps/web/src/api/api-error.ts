/** Refusal of the backend, in its own words; code `OFFLINE` where it does not answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, hint?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}
