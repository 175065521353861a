/** Log that an engine writes to: fields vary, the message does not. Never carries stored content. */
export interface StoreLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}
