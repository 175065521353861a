/** Error answer of the backend, in the backend's words; its code is `OFFLINE` if the backend does not answer at all. */
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
