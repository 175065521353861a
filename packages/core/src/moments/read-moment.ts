import { ChestError } from "@chest/contracts";
import { wellFormed } from "../text/characters.ts";
import { type Period, periodOf, spokenTime } from "./spoken-time.ts";
import { momentOf, readTimeZone, UTC, wallTimeOf } from "./time-zone.ts";

const UNIX = /^\d{1,12}(?:\.\d+)?$/;
/** A month, a day or a time of day, with or without an offset from UTC. */
const ISO = /^(\d{4})-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?)?$/;

/** Clock and zone for reading a caller's words for a time. */
export interface CallersClock {
  readonly now: Date;
  /** IANA name; absent: UTC. */
  readonly timeZone?: string | undefined;
}

/**
 * Reads unix seconds or ISO 8601, and with a clock also words such as `yesterday`. A day or month means its start or
 * its end, as `by` says. Throws `INVALID_INPUT` with the field for anything else.
 */
export function readMoment(input: string, name: string, by: "start" | "end" = "start", clock?: CallersClock): Date {
  const text = input.trim();
  if (UNIX.test(text)) return new Date(Number(text) * 1000);
  const zone = clock?.timeZone ?? UTC;
  const period = isoPeriod(text, zone) ?? (clock && spokenTime(text, clock.now, zone));
  if (period) return period[by];
  const shown = wellFormed(input.slice(0, 80));
  throw new ChestError("INVALID_INPUT", `${name}: \`${shown}\` is not a time`, {
    hint: clock
      ? "give unix seconds, a month, date or time such as 2026-11, 2026-11-22 or 2026-11-22T09:30:00Z, or words such as `yesterday`, `last week`, `3d`, `2 weeks ago`, `Monday`"
      : "give unix seconds, or a month, date or time such as 2026-11, 2026-11-22 or 2026-11-22T09:30:00Z",
    details: { field: name, given: shown },
  });
}

/** Reads unix seconds or ISO 8601, in UTC unless the text or the caller has another zone; undefined for any other text. */
export const fixedMoment = (text: string, zone = UTC): Date | undefined =>
  UNIX.test(text) ? new Date(Number(text) * 1000) : isoPeriod(text, zone)?.start;

function isoPeriod(text: string, zone: string): Period | undefined {
  const [, year, month, day, hour, minute, second, offset] = ISO.exec(text) ?? [];
  if (year === undefined || Number.isNaN(Date.parse(offset === undefined && hour !== undefined ? `${text}Z` : text)))
    return undefined;
  // A day that its month has not would be read as one of the next month.
  if (day !== undefined && new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() !== Number(day)) return undefined;
  const from = { year: Number(year), month: Number(month), day: Number(day ?? 1) };
  if (hour === undefined)
    return periodOf(
      from,
      day === undefined ? { ...from, month: from.month + 1 } : { ...from, day: from.day + 1 },
      zone,
    );
  if (offset !== undefined) return at(new Date(text));
  return at(momentOf({ ...from, hour: Number(hour), minute: Number(minute), second: Number(second ?? 0) }, zone));
}

const at = (moment: Date): Period => ({ start: moment, end: moment });

/** First and last moment of a question, and how relative words were understood. */
export interface Between {
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  readonly understood?: { readonly since?: string; readonly until?: string; readonly time_zone: string };
}

/**
 * Reads `since`, `until` and the time zone of a question.
 * @param stated zone in the question; the default is the caller's zone, then UTC
 */
export function readBetween(
  request: { readonly since?: string | undefined; readonly until?: string | undefined },
  stated: string | undefined,
  clock: CallersClock,
): Between {
  const timeZone = stated === undefined ? (clock.timeZone ?? UTC) : zoneNamed(stated);
  const by = { now: clock.now, timeZone };
  const since = request.since === undefined ? undefined : readMoment(request.since, "since", "start", by);
  const until = request.until === undefined ? undefined : readMoment(request.until, "until", "end", by);
  const isByClock = [request.since, request.until].some((text) => text !== undefined && !isFixed(text.trim()));
  if (!isByClock) return { since, until };
  return {
    since,
    until,
    understood: {
      ...(since ? { since: shownIn(since, timeZone) } : {}),
      ...(until ? { until: shownIn(until, timeZone) } : {}),
      time_zone: timeZone,
    },
  };
}

/** Whether a text means the same moment in every zone. */
const isFixed = (text: string): boolean => UNIX.test(text) || ISO.exec(text)?.[7] !== undefined;

function zoneNamed(name: string): string {
  const zone = readTimeZone(name);
  if (zone !== undefined) return zone;
  throw new ChestError("INVALID_INPUT", `time_zone: \`${wellFormed(name.slice(0, 80))}\` is not a time zone`, {
    hint: "give the IANA name of a zone, such as Europe/Berlin or Asia/Tokyo",
    details: { field: "time_zone", given: wellFormed(name.slice(0, 80)) },
  });
}

function shownIn(moment: Date, zone: string): string {
  const { year, month, day, hour, minute } = wallTimeOf(moment, zone);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}
