/** Reason why a program does not start, for the person at the terminal. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** Renders an error for a terminal: one line, and the hint on its own. */
export function explain(program: string, { message, hint }: { message: string; hint?: string | undefined }): string {
  return [`${program}: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])].join("\n");
}
