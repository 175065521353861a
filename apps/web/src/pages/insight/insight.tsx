import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { queries } from "../../api/queries.ts";
import { bytes, number, text } from "../../i18n/index.ts";
import { Bars, nameOf } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, NothingYet, Page } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { memberName } from "../../parts/words/member-name.ts";
import { Part } from "./part.tsx";
import { Unused } from "./unused.tsx";

const DayChart = lazy(async () => ({ default: (await import("./day-chart.tsx")).DayChart }));

const SPANS = [30, 90, 365] as const;
const MOST_BARS = 12;

/** Answers three questions by what this member may see: does it help, what is missing, what is dead. */
export function Insight() {
  const [days, setDays] = useState<number>(SPANS[0]);
  const series = useQuery(queries.series(days));
  const { data: me } = useQuery(queries.whoami());
  const { data: stats } = useQuery(queries.stats());
  if (stats?.memory_count === 0)
    return (
      <Page title={text.insight.title}>
        <NothingYet>{text.insight.empty}</NothingYet>
      </Page>
    );
  return (
    <Page
      title={text.insight.title}
      actions={
        <NativeSelect
          size="xs"
          aria-label={text.insight.span}
          value={String(days)}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          data={SPANS.map((span) => ({ value: String(span), label: text.insight.days(span) }))}
        />
      }
    >
      <Part title={text.insight.helps}>
        <div className="chart-place">
          <Answer of={series}>
            {({ series: found = [] }) => (
              <>
                <Use series={found} />
                <Suspense fallback={<Waiting />}>
                  <DayChart series={found} days={days} />
                </Suspense>
              </>
            )}
          </Answer>
        </div>
      </Part>
      {me?.scopes.includes("operate") && <Gaps canWrite={me.scopes.includes("write")} />}
      <Unused />
      <Part title={text.insight.holds}>
        <Totals />
        <Shares />
      </Part>
    </Page>
  );
}

/** Sums of a span of days. */
function Use({ series }: { readonly series: readonly { readonly memories: number; readonly openings: number }[] }) {
  const made = series.reduce((sum, { memories }) => sum + memories, 0);
  const opened = series.reduce((sum, { openings }) => sum + openings, 0);
  return <p className="lead">{text.insight.useSum(opened, made)}</p>;
}

function Totals() {
  const { data } = useQuery(queries.sums());
  const { data: stats } = useQuery(queries.stats());
  if (!data || !stats) return <div className="tiles" />;
  const tiles = [
    [text.insight.memories, number(data.memories)],
    [text.insight.entities, number(stats.entity_count)],
    [text.insight.sessions, number(stats.sessions_seen)],
    [text.insight.edits, number(stats.file_edits)],
    [text.insight.pinned, number(data.pinned)],
    [text.states.archived, number(data.archived + data.superseded)],
    [text.inbox.tabs.stale, number(data.stale)],
    [text.insight.bytes, bytes(data.content_bytes)],
  ] as const;
  return (
    <div className="tiles">
      {tiles.map(([name, value]) => (
        <div key={name} className="card tile">
          <b>{value}</b>
          <span className="lead">{name}</span>
        </div>
      ))}
    </div>
  );
}

function Shares() {
  const query = useQuery(queries.sums());
  const { data: stats } = useQuery(queries.stats());
  const none = (name: string) => (name === "none" ? text.common.none : name);
  if (stats?.memory_count === 0) return null;
  return (
    <Answer of={query}>
      {({ by_layer: layers, by_category: categories, by_author: authors, by_project: projects }) => (
        <div className="two">
          <Part isSmall title={text.insight.byLayer}>
            <Bars rows={largest(layers, (layer) => nameOf(text.layers, layer))} />
          </Part>
          <Part isSmall title={text.insight.busiestProjects}>
            <Bars rows={largest(projects, none)} />
          </Part>
          <Part isSmall title={text.insight.byCategory}>
            <Bars rows={largest(categories, (name) => nameOf(text.categories, none(name)))} />
          </Part>
          <Part isSmall title={text.insight.byAuthor}>
            <Bars rows={largest(authors, (name) => memberName(none(name)))} />
          </Part>
          <Part isSmall title={text.insight.byKind}>
            <Bars rows={largest(stats?.by_entity_kind ?? {}, (kind) => nameOf(text.kinds, kind))} />
          </Part>
          {stats && stats.top_files.length > 0 && (
            <Part isSmall title={text.insight.topFiles}>
              <Bars rows={stats.top_files.map(({ file_path: path, edits }) => [path, edits])} />
            </Part>
          )}
        </div>
      )}
    </Answer>
  );
}

/** Questions that found nothing, where they are kept: what the memory lacks. */
function Gaps({ canWrite }: { readonly canWrite: boolean }) {
  const query = useQuery(queries.gaps());
  return (
    <Part title={text.insight.missing} lead={text.insight.gaps}>
      <Answer of={query}>
        {({ is_kept: isKept, gaps }) => {
          if (gaps.length === 0) return <Nothing>{isKept ? text.insight.noGaps : text.insight.gapsOff}</Nothing>;
          return (
            <SortedTable
              rows={gaps}
              keyOf={({ project, question }) => `${project} ${question}`}
              wideOnly={[2, 4]}
              columns={[
                {
                  head: text.insight.question,
                  className: "break",
                  by: ({ question }) => question,
                  cell: ({ question }) => <bdi>{question}</bdi>,
                },
                {
                  head: text.memory.project,
                  by: ({ project }) => project ?? undefined,
                  cell: ({ project }) => <bdi>{project ?? text.common.none}</bdi>,
                },
                {
                  head: text.insight.asked,
                  className: "num",
                  by: ({ times }) => times,
                  cell: ({ times }) => number(times),
                },
                { head: text.insight.lastAsked, timeOf: ({ last_at }) => last_at },
                {
                  cell: ({ question, project }) =>
                    canWrite && (
                      <Link to="/new" search={{ title: question, ...(project != null && { project }) }}>
                        {text.insight.writeAnswer}
                      </Link>
                    ),
                },
              ]}
            />
          );
        }}
      </Answer>
    </Part>
  );
}

const largest = (
  counts: Readonly<Record<string, number>>,
  name: (key: string) => string,
): readonly (readonly [string, number])[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_BARS)
    .map(([key, count]) => [name(key), count]);
