import { join } from "node:path";

/** One run of a hook. Ids, times and codes: nothing that is said or stored. */
export interface HookRun {
  readonly at: Date;
  /** As the hook program calls it: `stop`, `user-prompt`. */
  readonly event: string;
  readonly session: string;
  readonly ms: number;
  readonly outcome: string;
  /** Why it failed. */
  readonly code?: string | undefined;
}

export const FAILED = "failed";

/** Where every hook of a machine writes down how it went. */
export const hookLogFile = (dataDir: string): string => join(dataDir, "hook.log");

/** Where the log lies once it has grown too long. */
export const olderHookLogFile = (dataDir: string): string => `${hookLogFile(dataDir)}.1`;

/** One line, its end included: `2026-03-01T09:30:00.000Z stop 7f3a 41ms failed UNAVAILABLE`. */
export const hookLogLine = ({ at, event, session, ms, outcome, code }: HookRun): string =>
  `${[at.toISOString(), word(event), word(session), `${Math.round(ms)}ms`, word(outcome), code && word(code)].filter(Boolean).join(" ")}\n`;

/** What a log tells, oldest first; a line that is none of ours, or half of one, is passed over. */
export const readHookLog = (text: string): HookRun[] =>
  text.split("\n").flatMap((line) => {
    const [, at = "", event = "", session = "", ms, outcome = "", code] = LINE.exec(line) ?? [];
    return event ? [{ at: new Date(at), event, session, ms: Number(ms), outcome, code }] : [];
  });

const LINE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\S+) (\S+) (\d+)ms (\S+)(?: (\S+))?$/;

/** An id of a session comes from outside: it may neither end the line nor forge another. */
const word = (text: string): string => text.replace(/[^\x21-\x7e]/g, "").slice(0, 80) || "-";
