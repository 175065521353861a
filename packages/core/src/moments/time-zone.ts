/** A day, hour, … as a clock on a wall shows it; months from 1. */
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

/** The zone of an IANA name as this runtime spells it; undefined for a name that it does not know. */
export function readTimeZone(name: string): string | undefined {
  if (name.length > 64 || !ZONE_NAME.test(name)) return undefined;
  try {
    return formatOf(name).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Reads a clock on a wall of a zone at a moment. */
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

/** The moment at which a clock of a zone shows a time; of one that is skipped there, the next; of one that comes twice, the first. */
export function momentOf(wall: WallTime, zone: string): Date {
  const shown = asUtc(wall);
  if (zone === UTC) return new Date(shown);
  const offsetAt = (at: number) => asUtc(wallTimeOf(new Date(at), zone)) - Math.floor(at / 1000) * 1000;
  // The offsets of a day before and after are all that can hold at that time.
  const moments = [shown - DAY_MS, shown + DAY_MS].map((at) => shown - offsetAt(at)).sort((a, b) => a - b);
  const exact = moments.find((at) => at + offsetAt(at) === shown);
  return new Date(exact ?? (moments[1] as number));
}

const DAY_MS = 86_400_000;
