/** Log of an engine: fixed messages, variable fields, never content. */
export interface StoreLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}
