import { momentOf, type WallTime, wallTimeOf } from "./time-zone.ts";

/** A period of time: its first and its last moment. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

type Unit = "minute" | "hour" | "day" | "week" | "month" | "year";

/** Meaning of words for a time: whole units back from now, a length of time up to now, or a weekday. */
type Meaning =
  | { readonly back: number; readonly unit: Unit; readonly isWhole?: true }
  | { readonly lasting: number; readonly unit: Unit }
  | { readonly weekday: number; readonly isBefore: boolean; readonly weeksBack?: number };

const LOCALES = ["en", "ja", "zh-Hans", "zh-Hant", "ko", "de", "fr", "es", "pt"];
const NAMED: readonly Unit[] = ["day", "week", "month", "year"];
const COUNTED: readonly Unit[] = ["minute", "hour", ...NAMED];

/** Words that the tables of `Intl` lack, by their equivalent there. */
const SAME: Readonly<Record<string, string>> = {
  ...{
    本日: "今日",
    きょう: "今日",
    きのう: "昨日",
    さくじつ: "昨日",
    おととい: "一昨日",
    おとつい: "一昨日",
    去年: "昨年",
  },
  ...{
    昨晚: "昨天",
    这周: "本周",
    這週: "本週",
    上星期: "上周",
    上礼拜: "上周",
    上禮拜: "上周",
    上月: "上个月",
    这个月: "本月",
    這個月: "本月",
  },
  daybeforeyesterday: "vorgestern",
  ...{ 그제: "그저께", 저번주: "지난주", 금주: "이번주", 저번달: "지난달", 지난해: "작년", 금년: "올해" },
};
/** Words around a time that do not change its meaning. */
const AROUND = /^(?:since|from|on|the|past|der|den|am|seit)\s+|(?:から|以来|以降|以来|부터|以后|以後)$/gu;
const SHORT: Readonly<Record<string, Unit>> = {
  ...{ min: "minute", h: "hour", hr: "hour", d: "day", w: "week", wk: "week", mo: "month", y: "year", yr: "year" },
  ...{ minutes: "minute", minute: "minute", hours: "hour", hour: "hour", days: "day", day: "day", weeks: "week" },
  ...{ week: "week", months: "month", month: "month", years: "year", year: "year", mins: "minute", hrs: "hour" },
};
const DIGITS: Readonly<Record<string, string>> = {
  一: "1",
  二: "2",
  两: "2",
  兩: "2",
  三: "3",
  四: "4",
  五: "5",
  六: "6",
  七: "7",
  八: "8",
  九: "9",
  十: "10",
};
const MOST = 5000;

/** Normal form for comparison: composed, lower case, without spaces and quotes. */
const keyOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s.'’]+/gu, "");

interface Table {
  readonly named: ReadonlyMap<string, Meaning>;
  readonly counted: ReadonlyMap<string, Unit>;
}

let made: Table | undefined;

/** Builds the names of days, weeks, months, years and weekdays from `Intl`, on first use. */
function table(): Table {
  if (made) return made;
  const named = new Map<string, Meaning>();
  const counted = new Map<string, Unit>();
  for (const locale of LOCALES) {
    const words = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
    for (const unit of NAMED)
      for (const back of [2, 1, 0]) {
        const form = keyOf(words.format(-back, unit));
        if (!/\d/.test(form)) named.set(form, { back, unit, isWhole: true });
      }
    for (const style of ["long", "short", "narrow"] as const) {
      const numbers = new Intl.RelativeTimeFormat(locale, { style });
      for (const unit of COUNTED)
        for (const [count, many] of [
          [1, "1"],
          [7, "7"],
        ] as const) {
          const form = keyOf(numbers.format(-count, unit));
          // French writes seven days as `-7 j`: a minus is no word for the past.
          if (!form.includes("-") && form.includes(many)) counted.set(form.replace(many, "#"), unit);
        }
    }
    for (const style of ["long", "short"] as const) {
      const days = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: "UTC" });
      for (let weekday = 0; weekday < 7; weekday++) {
        // The fourth of January 1970 was a Sunday.
        const name = keyOf(days.format(new Date(Date.UTC(1970, 0, 4 + weekday))));
        if (name.length < 2) continue;
        // Adds short forms: 月曜 for 月曜日, 礼拜一 for 星期一.
        const others = name.endsWith("曜日")
          ? [name.slice(0, -1)]
          : name.startsWith("星期")
            ? [`礼拜${name.slice(2)}`]
            : [];
        for (const each of [name, ...others]) {
          named.set(each, { weekday, isBefore: false });
          for (const last of ["last", "지난"]) named.set(last + each, { weekday, isBefore: true });
          for (const last of ["先週", "先週の", "上", "지난주"])
            named.set(last + each, { weekday, isBefore: true, weeksBack: 1 });
        }
      }
    }
  }
  made = { named, counted };
  return made;
}

const LENGTH = /^(?:(?:the)?(?:last|past))?(\d{1,4})([a-z]+)$/u;

function meaningOf(text: string): Meaning | undefined {
  const key = keyOf(text.trim().replace(AROUND, ""));
  const length = LENGTH.exec(key);
  const unit = length && SHORT[length[2] as string];
  if (unit) return within({ lasting: Number(length?.[1]), unit });
  const { named, counted } = table();
  const word = named.get(key) ?? named.get(keyOf(SAME[key] ?? ""));
  if (word) return word;
  const numbered = key.replace(/[一二两兩三四五六七八九十]/gu, (digit) => DIGITS[digit] as string);
  const count = /\d{1,4}/u.exec(numbered)?.[0];
  const countedBy =
    count &&
    counted.get(numbered.replace(count, "#").replaceAll("ヶ", "か").replaceAll("ヵ", "か").replaceAll("ケ", "か"));
  return countedBy ? within({ back: Number(count), unit: countedBy }) : undefined;
}

const within = <M extends { readonly unit: Unit } & ({ readonly back: number } | { readonly lasting: number })>(
  meaning: M,
): M | undefined => (("back" in meaning ? meaning.back : meaning.lasting) <= MOST ? meaning : undefined);

/**
 * The time that words stand for at a moment in a zone: `yesterday`, `last week`, `3d`, `2 weeks ago`, `Monday`, 先週, 3天前,
 * 어제. A week begins on Monday. Undefined for words that name none.
 */
export function spokenTime(text: string, now: Date, zone: string): Period | undefined {
  const plain = keyOf(text);
  if (["now", "今", "现在", "現在", "지금"].includes(plain)) return { start: now, end: now };
  const meaning = meaningOf(text);
  if (meaning === undefined) return undefined;
  const today = wallTimeOf(now, zone);
  const day = (wall: WallTime, days = 1): Period => periodOf(wall, { ...wall, day: wall.day + days }, zone);
  if ("weekday" in meaning) {
    const since = (weekdayOf(today) - meaning.weekday + 7) % 7;
    const monday = today.day - ((weekdayOf(today) + 6) % 7);
    if (meaning.weeksBack !== undefined)
      return day(dateOnly({ ...today, day: monday - 7 * meaning.weeksBack + ((meaning.weekday + 6) % 7) }));
    return day(dateOnly({ ...today, day: today.day - (since === 0 && meaning.isBefore ? 7 : since) }));
  }
  if ("lasting" in meaning) {
    const start = before(now, today, meaning.lasting, meaning.unit, zone);
    return { start, end: start };
  }
  const { back, unit, isWhole } = meaning;
  if (unit === "minute" || unit === "hour") {
    const start = before(now, today, back, unit, zone);
    return { start, end: start };
  }
  if (unit === "day") return day(dateOnly({ ...today, day: today.day - back }));
  if (isWhole && unit === "week") {
    const monday = today.day - ((weekdayOf(today) + 6) % 7) - 7 * back;
    return day(dateOnly({ ...today, day: monday }), 7);
  }
  if (isWhole && unit === "month") {
    const first = dateOnly({ ...today, month: today.month - back, day: 1 });
    return periodOf(first, { ...first, month: first.month + 1 }, zone);
  }
  if (isWhole) {
    const first = { year: today.year - back, month: 1, day: 1 };
    return periodOf(first, { ...first, year: first.year + 1 }, zone);
  }
  // `two weeks ago` means that single day.
  return day(dateOnly(backBy(today, back, unit)));
}

const dateOnly = ({ year, month, day }: WallTime): WallTime => ({ year, month, day });

/** The period from the start of one day to the last moment before another. */
export const periodOf = (from: WallTime, to: WallTime, zone: string): Period => ({
  start: momentOf(from, zone),
  end: new Date(momentOf(to, zone).getTime() - 1),
});

const weekdayOf = ({ year, month, day }: WallTime): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay();

const DAYS_IN: Readonly<Partial<Record<Unit, number>>> = { day: 1, week: 7 };

function backBy(wall: WallTime, count: number, unit: Unit): WallTime {
  const days = DAYS_IN[unit];
  if (days !== undefined) return { ...wall, day: wall.day - count * days };
  const months = count * (unit === "year" ? 12 : 1);
  const month = wall.month - months;
  // If the month has no such day, its last day is used.
  const last = new Date(Date.UTC(wall.year, month, 0)).getUTCDate();
  return { ...wall, month, day: Math.min(wall.day, last) };
}

const MS: Readonly<Partial<Record<Unit, number>>> = { minute: 60_000, hour: 3_600_000 };

function before(now: Date, today: WallTime, count: number, unit: Unit, zone: string): Date {
  const ms = MS[unit];
  return ms === undefined ? momentOf(backBy(today, count, unit), zone) : new Date(now.getTime() - count * ms);
}
