import { NativeSelect, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { memoryPages } from "../../api/pages.ts";
import { queries } from "../../api/queries.ts";
import { bytes, number, text } from "../../i18n/index.ts";
import { Bars, Layer, MemoryLink, nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing, Page } from "../../parts/page.tsx";
import { ShowMore, Table } from "../../parts/table.tsx";
import { Waiting } from "../../parts/waiting.tsx";

const DayChart = lazy(async () => ({ default: (await import("./day-chart.tsx")).DayChart }));

const SPANS = [30, 90, 365] as const;
const MOST_BARS = 12;

/** Sums over what this member may see, over time and by kind. */
export function Insight() {
  const [days, setDays] = useState<number>(SPANS[0]);
  const series = useQuery(queries.series(days));
  const { data: me } = useQuery(queries.whoami());
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
      <Totals />
      <Part title={text.insight.byDay}>
        <div className="chart-place">
          <Answer of={series}>
            {({ series: found = [] }) => (
              <Suspense fallback={<Waiting />}>
                <DayChart series={found} days={days} />
              </Suspense>
            )}
          </Answer>
        </div>
      </Part>
      <Shares />
      {me?.scopes.includes("operate") && <Gaps />}
      <Unused />
    </Page>
  );
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
  const asked = useQuery(queries.sums());
  const { data: stats } = useQuery(queries.stats());
  const none = (name: string) => (name === "none" ? text.common.none : name);
  if (stats?.memory_count === 0) return null;
  return (
    <Answer of={asked}>
      {({ by_layer: layers, by_category: categories, by_author: authors, by_project: projects }) => (
        <div className="two">
          <Part title={text.insight.byLayer}>
            <Bars rows={largest(layers, (layer) => nameOf(text.layers, layer))} />
          </Part>
          <Part title={text.insight.busiestProjects}>
            <Bars rows={largest(projects, none)} />
          </Part>
          <Part title={text.insight.byCategory}>
            <Bars rows={largest(categories, (name) => nameOf(text.categories, none(name)))} />
          </Part>
          <Part title={text.insight.byAuthor}>
            <Bars rows={largest(authors, none)} />
          </Part>
          <Part title={text.insight.byKind}>
            <Bars rows={largest(stats?.by_entity_kind ?? {}, (kind) => nameOf(text.kinds, kind))} />
          </Part>
          {stats && stats.top_files.length > 0 && (
            <Part title={text.insight.topFiles}>
              <Bars rows={stats.top_files.map(({ file_path: path, edits }) => [path, edits])} />
            </Part>
          )}
        </div>
      )}
    </Answer>
  );
}

/** Questions that found nothing, where they are kept: what the memory lacks. */
function Gaps() {
  const asked = useQuery(queries.gaps());
  return (
    <Part title={text.insight.gaps}>
      <Answer of={asked}>
        {({ is_kept: isKept, gaps }) => {
          if (gaps.length === 0) return <Nothing>{isKept ? text.insight.noGaps : text.insight.gapsOff}</Nothing>;
          return (
            <Table
              heads={[
                text.insight.question,
                text.memory.project,
                { number: text.insight.asked },
                text.insight.lastAsked,
              ]}
            >
              {gaps.map(({ question, project, times, last_at: at }) => (
                <tr key={`${project} ${question}`}>
                  <td className="break">
                    <bdi>{question}</bdi>
                  </td>
                  <td>
                    <bdi>{project ?? text.common.none}</bdi>
                  </td>
                  <td className="num">{number(times)}</td>
                  <td>
                    <When at={at} />
                  </td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Answer>
    </Part>
  );
}

/** Memories that no recall has opened: the oldest ones are the likeliest to go. */
function Unused() {
  const asked = useInfiniteQuery(memoryPages({ unused: "true", limit: 20 }));
  const { data: stats } = useQuery(queries.stats());
  return (
    <Part title={text.insight.unused}>
      <Answer of={asked}>
        {({ pages }) => {
          const memories = pages.flatMap((page) => page.memories);
          if (memories.length === 0)
            return <Nothing>{stats?.memory_count === 0 ? text.common.nothing : text.insight.allUsed}</Nothing>;
          return (
            <>
              <p className="lead">{text.search.results(pages[0]?.total ?? 0, false)}</p>
              <Table
                wideOnly={[2, 3]}
                heads={[text.search.columns.memory, text.memory.layer, text.memory.entity, text.memory.made]}
              >
                {memories.map(({ id, title, layer, entity, created_at: at }) => (
                  <tr key={id}>
                    <td>
                      <MemoryLink id={id}>{title}</MemoryLink>
                    </td>
                    <td>
                      <Layer layer={layer} />
                    </td>
                    <td>
                      <bdi>{entity.name}</bdi>
                    </td>
                    <td>
                      <When at={at * 1000} />
                    </td>
                  </tr>
                ))}
              </Table>
              <ShowMore of={asked} />
            </>
          );
        }}
      </Answer>
    </Part>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <Title order={2} mt="xl" mb="xs">
      {title}
    </Title>
    {children}
  </section>
);

const largest = (
  counts: Readonly<Record<string, number>>,
  name: (key: string) => string,
): readonly (readonly [string, number])[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_BARS)
    .map(([key, count]) => [name(key), count]);
