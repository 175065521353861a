import { moment, number, text } from "../../i18n/index.ts";
import { Table } from "../../parts/table.tsx";

interface DayChartProps {
  readonly series: readonly { readonly day: string; readonly memories: number; readonly openings: number }[];
  readonly days: number;
}

const DAY_MS = 86_400_000;
/** More bars than this would be thinner than two pixels, so a year is grouped by week. */
const MOST_BARS = 100;

/** Memories made and opened by day, drawn and as a table. */
export function DayChart({ series, days }: DayChartProps) {
  const rows = filled(series, days);
  const lines = [
    { name: "made", label: text.insight.made },
    { name: "opened", label: text.insight.opened },
  ] as const;
  return (
    <>
      <div aria-hidden="true">
        {lines.map(({ name, label }) => (
          <div key={name} className={`chart chart-${name}`}>
            <p className="lead">{label}</p>
            <DayBars rows={rows.map((row) => [row.label, row[name]])} />
          </div>
        ))}
      </div>
      <details>
        <summary className="lead">{text.search.table}</summary>
        <Table
          heads={[
            text.insight.day,
            { name: text.insight.made, isNumber: true },
            { name: text.insight.opened, isNumber: true },
          ]}
        >
          {rows
            .filter(({ made, opened }) => made + opened > 0)
            .map(({ label, made, opened }) => (
              <tr key={label}>
                <td>{label}</td>
                <td className="num">{number(made)}</td>
                <td className="num">{number(opened)}</td>
              </tr>
            ))}
        </Table>
      </details>
    </>
  );
}

/** Draws one bar for each day. The highest figure stands above them; the first, middle and last day below. */
function DayBars({ rows }: { readonly rows: readonly (readonly [string, number])[] }) {
  const highest = Math.max(0, ...rows.map(([, value]) => value));
  const most = Math.max(1, highest);
  return (
    <div className="day-bars">
      <span className="num">{number(highest)}</span>
      <svg viewBox={`0 0 ${rows.length * 10} 100`} preserveAspectRatio="none" aria-hidden="true">
        {rows.map(([label, value], at) => (
          <rect key={label} x={at * 10 + 1} y={100 - (100 * value) / most} width={8} height={(100 * value) / most}>
            <title>{`${label}: ${number(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p className="lead">
        {[0, Math.floor(rows.length / 2), rows.length - 1].map((at) => (
          <span key={at}>{rows[at]?.[0]}</span>
        ))}
      </p>
    </div>
  );
}

/** Every day of the span, those without anything too; by the week where they are many. */
function filled(series: DayChartProps["series"], days: number) {
  const known = new Map(series.map((row) => [row.day, row]));
  const step = days > MOST_BARS ? 7 : 1;
  const rows = [];
  for (let back = days - 1; back >= 0; back -= step) {
    const sums = { label: labelOf(dayBefore(back)), made: 0, opened: 0 };
    for (let at = back; at > back - step && at >= 0; at--) {
      const found = known.get(dayBefore(at));
      sums.made += found?.memories ?? 0;
      sums.opened += found?.openings ?? 0;
    }
    rows.push(sums);
  }
  return rows;
}

const dayBefore = (back: number): string => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
const labelOf = (day: string): string => moment(`${day}T12:00:00Z`, { day: "numeric", month: "short" });
