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

// A write to the system for each line costs as much as the rest of the line ten times over.
const BUFFER_BYTES = 4096;
const FLUSH_MS = 200;

/** JSON lines, one an event, written a few at a time; what is left is written on exit. */
export function openLogger({ name, level, to }: LoggerOptions): Logger {
  const stream = typeof to === "number" ? bufferedTo(to) : to;
  return pino({ name, level, base: { name }, redact: { paths: SECRET_FIELDS, censor: "[removed]" } }, stream);
}

// Most bytes of lines that wait for room on a full disk; further lines are dropped.
const MOST_WAITING_BYTES = 1024 * 1024;

function bufferedTo(descriptor: number): DestinationStream {
  const stream = pino.destination({
    dest: descriptor,
    sync: true,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MOST_WAITING_BYTES,
  });
  // A log that cannot be written ends no program: its lines are tried again with those that follow.
  let isWell = true;
  stream.on("error", () => {
    isWell = false;
  });
  // Pino does so by itself only for streams that write asynchronously.
  process.once("exit", () => {
    isWell = true;
    stream.flush();
    // `flushSync` retries for ever if a write fails for good. Skipping it changes nothing about how the program ends.
    if (isWell) stream.flushSync();
  });
  return stream;
}
