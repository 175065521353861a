import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

// A token never belongs in a field; should one end up there, it is not written.
const SECRET_FIELDS = ["authorization", "token", "headers.authorization"];

export interface LoggerOptions {
  readonly name: string;
  readonly level: string;
  /** A file descriptor: 1 for a service's own log, 2 where stdout is the protocol or the data. */
  readonly to: 1 | 2 | DestinationStream;
}

/** JSON lines, one an event. */
export function openLogger({ name, level, to }: LoggerOptions): Logger {
  // Written as the stream takes it, many lines at a time under load; what is left is written on exit.
  const stream = typeof to === "number" ? pino.destination({ dest: to, sync: false }) : to;
  return pino({ name, level, base: { name }, redact: { paths: SECRET_FIELDS, censor: "[removed]" } }, stream);
}
