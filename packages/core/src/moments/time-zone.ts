/** Local date and time; months count from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

export const UTC = "UTC";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  formats.set(zone, made);
  return made;
}

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

/** Canonical spelling of an IANA zone; undefined for a zone that the runtime does not know. */
export function readTimeZone(name: string): string | undefined {
  if (name.length > 64 || !ZONE_NAME.test(name)) return undefined;
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Local time in a zone at a moment. */
export function wallTimeOf(moment: Date, zone: string): Required<WallTime> {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

const asUtc = ({ year, month, day, hour = 0, minute = 0, second = 0 }: WallTime): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** The moment of a local time in a zone. A skipped local time gives the next moment; a repeated one gives the first. */
export function momentOf(wall: WallTime, zone: string): Date {
  const shown = asUtc(wall);
  if (zone === UTC) return new Date(shown);
  const offsetAt = (at: number) => asUtc(wallTimeOf(new Date(at), zone)) - Math.floor(at / 1000) * 1000;
  // The offsets one day before and one day after are the only candidates.
  const moments = [shown - DAY_MS, shown + DAY_MS].map((at) => shown - offsetAt(at)).sort((a, b) => a - b);
  const exact = moments.find((at) => at + offsetAt(at) === shown);
  return new Date(exact ?? (moments[1] as number));
}

const DAY_MS = 86_400_000;
