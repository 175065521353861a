import { en, type Messages } from "./en.ts";

const OTHERS = {
  ja: async () => (await import("./ja.ts")).ja,
  zh: async () => (await import("./zh.ts")).zh,
  ko: async () => (await import("./ko.ts")).ko,
} as const;

/** Messages of the page in the browser's language; set before anything is shown. */
export let text: Messages = en;
/** Tag of that language, for dates and numbers. */
let locale = "en";

/** Takes the first language of the browser that the page speaks. */
export async function chooseLanguage(wanted: readonly string[]): Promise<void> {
  const known = wanted.find((tag) => /^(en|ja|zh|ko)\b/i.test(tag));
  const language = known?.slice(0, 2).toLowerCase();
  locale = known ?? "en";
  document.documentElement.lang = language === "zh" ? "zh-CN" : (language ?? "en");
  if (language !== undefined && language in OTHERS) text = await OTHERS[language as keyof typeof OTHERS]();
}

/** Formatters that were made, by locale and options. Making one costs as much as a hundred uses, and a list has many. */
const formats = new Map<string, unknown>();

function formatOf<Options extends object, Format>(
  Made: new (locale: string, options?: Options) => Format,
  options?: Options,
): Format {
  const key = `${Made.name} ${locale} ${JSON.stringify(options)}`;
  const known = formats.get(key) as Format | undefined;
  if (known !== undefined) return known;
  const format = new Made(locale, options);
  formats.set(key, format);
  return format;
}

export const number = (value: number, options?: Intl.NumberFormatOptions): string =>
  formatOf(Intl.NumberFormat, options).format(value);

export const moment = (value: string | number | Date, options: Intl.DateTimeFormatOptions = MOMENT): string =>
  formatOf(Intl.DateTimeFormat, options).format(new Date(value));

const MOMENT = { dateStyle: "medium", timeStyle: "short" } as const;

/** Compares two names in the order of the page's language; numbers in them count by their value. */
export const compareNames = (one: string, other: string): number =>
  formatOf(Intl.Collator, { numeric: true }).compare(one, other);

/** Day as a heading names it. */
export const day = (value: string | number | Date): string => moment(value, { dateStyle: "full" });

export const timeOf = (value: string | number | Date): string => moment(value, { timeStyle: "short" });

const UNITS = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Words for times of late, in the page's language, as the backend understands them. */
export function recentTimes(): string[] {
  const format = formatOf(Intl.RelativeTimeFormat, { numeric: "auto" });
  return [
    ...[0, -1].map((days) => format.format(days, "day")),
    ...[0, -1].map((weeks) => format.format(weeks, "week")),
    format.format(-1, "month"),
  ];
}

const DAY_MIN = 1440;

/** Length of a span of time in words, in the largest unit that tells enough; undefined under a minute. */
export function lengthOf(minutes: number): string | undefined {
  const [value, unit] =
    minutes < 120 ? [minutes, "minute"] : minutes < 2 * DAY_MIN ? [minutes / 60, "hour"] : [minutes / DAY_MIN, "day"];
  const rounded = Math.round(Number(value));
  return rounded < 1 ? undefined : number(rounded, { style: "unit", unit: String(unit), unitDisplay: "long" });
}

/** Time that lies between then and now, in the largest unit that fits. */
export function ago(value: string | number | Date): string {
  const seconds = (new Date(value).getTime() - Date.now()) / 1000;
  const words = (style: "long" | "short") => formatOf(Intl.RelativeTimeFormat, { numeric: "auto", style });
  // "Last mo" is no word.
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size)
      return words(size > 86_400 ? "long" : "short").format(Math.trunc(seconds / size), unit);
  // "Now" in every language; of the minute some say "the present minute".
  return words("short").format(0, "second");
}

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(value) / 3));
  const unit = SIZES[power] ?? "byte";
  // The short name of a byte has no plural in English.
  const unitDisplay = power === 0 ? "long" : "short";
  const options = { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 } as const;
  return number(value / 1000 ** power, options);
}
