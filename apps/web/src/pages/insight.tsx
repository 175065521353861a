import { Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import { Bars, nameOf } from "../parts/memory-bits.tsx";
import { Answer, Page } from "../parts/page.tsx";

/** Sums over what this member may see. */
export function Insight() {
  const asked = useQuery(queries.stats());
  return (
    <Page title={text.insight.title}>
      <Answer of={asked}>
        {(stats) => (
          <>
            <div className="tiles">
              {(
                [
                  [text.insight.memories, stats.memory_count],
                  [text.insight.pinned, stats.pinned_count],
                  [text.insight.entities, stats.entity_count],
                  [text.insight.sessions, stats.sessions_seen],
                  [text.insight.edits, stats.file_edits],
                ] as const
              ).map(([name, value]) => (
                <div key={name} className="card tile">
                  <b>{number(value)}</b>
                  <span className="lead">{name}</span>
                </div>
              ))}
            </div>
            <div className="two">
              <section>
                <Title order={2} mt="xl" mb="xs">
                  {text.insight.byLayer}
                </Title>
                <Bars rows={sorted(stats.by_layer).map(([layer, count]) => [nameOf(text.layers, layer), count])} />
              </section>
              <section>
                <Title order={2} mt="xl" mb="xs">
                  {text.insight.byKind}
                </Title>
                <Bars rows={sorted(stats.by_entity_kind).map(([kind, count]) => [nameOf(text.kinds, kind), count])} />
              </section>
            </div>
            {stats.top_files.length > 0 && (
              <section>
                <Title order={2} mt="xl" mb="xs">
                  {text.insight.topFiles}
                </Title>
                <Bars rows={stats.top_files.map(({ file_path, edits }) => [file_path, edits])} />
              </section>
            )}
          </>
        )}
      </Answer>
    </Page>
  );
}

const sorted = (counts: Readonly<Record<string, number>>): readonly (readonly [string, number])[] =>
  Object.entries(counts).sort(([, a], [, b]) => b - a);
