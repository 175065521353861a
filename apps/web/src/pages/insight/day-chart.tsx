import { BarChart } from "@mantine/charts";
import "@mantine/charts/styles.css";
import { moment, number, text } from "../../i18n/index.ts";
import { Table } from "../../parts/table.tsx";

interface DayChartProps {
  readonly series: readonly { readonly day: string; readonly memories: number; readonly openings: number }[];
  readonly days: number;
}

const DAY_MS = 86_400_000;
/** More bars are thinner than a pixel or two: a year is told by the week. */
const MOST_BARS = 100;

/** Memories made and opened by day, drawn and as a table. */
export function DayChart({ series, days }: DayChartProps) {
  const rows = filled(series, days);
  const lines = [
    { name: "made", label: text.insight.made, color: "indigo.6" },
    { name: "opened", label: text.insight.opened, color: "teal.6" },
  ];
  return (
    <>
      <div aria-hidden="true">
        {lines.map((line) => (
          <div key={line.name} className="chart">
            <p className="lead">{line.label}</p>
            <BarChart
              barChartProps={{ accessibilityLayer: false }}
              h={120}
              data={rows}
              dataKey="label"
              series={[line]}
              gridAxis="x"
              tickLine="none"
              barProps={{ isAnimationActive: false }}
              valueFormatter={(value) => number(value)}
              xAxisProps={{ minTickGap: 40 }}
              yAxisProps={{ width: 44, allowDecimals: false }}
            />
          </div>
        ))}
      </div>
      <details>
        <summary className="lead">{text.search.table}</summary>
        <Table heads={[text.insight.day, { number: text.insight.made }, { number: text.insight.opened }]}>
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
