import { join } from "node:path";

/** One run of a hook: ids, times and codes, no content. */
export interface HookRun {
  readonly at: Date;
  /** As the hook program calls it: `stop`, `user-prompt`. */
  readonly event: string;
  readonly session?: string | undefined;
  readonly ms: number;
  /** A word or more, such as `sent` or `noted sent`. */
  readonly outcome: string;
  /** Why it failed. */
  readonly code?: string | undefined;
}

/** File in which every hook of a machine logs its runs. */
export const hookLogFile = (dataDir: string): string => join(dataDir, "hook.log");

/** File that an overgrown log is moved to. */
export const olderHookLogFile = (dataDir: string): string => `${hookLogFile(dataDir)}.1`;

/** One line, its end included: `2026-03-01T09:30:00.000Z stop session=7f3a ms=41 outcome=failed code=UNAVAILABLE`. */
export function hookLogLine({ at, event, session, ms, outcome, code }: HookRun): string {
  const fields = { session: word(session), ms: Math.round(ms), outcome: words(outcome), code: word(code) };
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${[at.toISOString(), word(event), ...said.map((field) => field.join("="))].join(" ")}\n`;
}

/** A setting that a hook did not go by, on a line of its own: `… stop setting=CHEST_MODE ignored: neither local nor remote`. */
export const ignoredLine = (at: Date, event: string, name: string, why: string): string =>
  `${at.toISOString()} ${word(event)} setting=${name} ignored: ${words(why)}\n`;

/** Parses a hook log, oldest run first. Foreign and torn lines are skipped. */
export const readHookLog = (text: string): HookRun[] =>
  text.split("\n").flatMap((line) => {
    const [, at = "", event = "", session, ms, outcome = "", code] = LINE.exec(line) ?? [];
    return event ? [{ at: new Date(at), event, session, ms: Number(ms), outcome, code }] : [];
  });

const LINE =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\S+)(?: session=(\S+))? ms=(\d+) outcome=(.*?)(?: code=(\S+))?$/;

/** Whether an event could not do what it is for: it failed, its time was up, or what it sent was refused for good. */
export const isFailure = ({ outcome }: HookRun): boolean => /\b(failed|late|refused)\b/.test(outcome);

/** An id of a session comes from outside: it may neither end the line nor forge another. */
const word = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : text.replace(/[^\x21-\x7e]/g, "").slice(0, 80) || "-";

const words = (text: string): string => text.replace(/[^\x20-\x7e]/g, "").slice(0, 200);
