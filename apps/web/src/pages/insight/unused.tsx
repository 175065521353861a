import { Button, Checkbox, Group } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { memoryPages } from "../../api/pages.ts";
import { text } from "../../i18n/index.ts";
import { Layer, MemoryLink, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { ShowMore, Table } from "../../parts/table.tsx";
import { Part } from "./part.tsx";

const Bulk = lazy(async () => ({ default: (await import("../search/bulk.tsx")).Bulk }));

const DAY_MS = 86_400_000;
/** A younger memory may not have been needed yet. */
const YOUNG_DAYS = 30;

/** Memories that no recall has opened in all their time, the oldest first, to be put away together. */
export function Unused() {
  const [until] = useState(() => new Date(Date.now() - YOUNG_DAYS * DAY_MS).toISOString().slice(0, 10));
  const asked = useInfiniteQuery(memoryPages({ unused: "true", sort: "oldest", until, limit: 20 }));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const clear = () => setChosen(new Set());
  const choose = (id: number) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <Part title={text.insight.dead} lead={text.insight.deadLead}>
      <Answer of={asked}>
        {({ pages }) => {
          const memories = pages.flatMap((page) => page.memories);
          if (memories.length === 0) return <Nothing>{text.insight.nothingDead}</Nothing>;
          const taken = memories.filter(({ id }) => chosen.has(id));
          return (
            <>
              <Group justify="space-between" mb="xs">
                <span className="lead">{text.search.results(pages[0]?.total ?? 0, false)}</span>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => setChosen(new Set(memories.map(({ id }) => id)))}
                >
                  {text.insight.chooseAll}
                </Button>
              </Group>
              {taken.length > 0 && (
                <Suspense>
                  <Bulk chosen={taken} clear={clear} />
                </Suspense>
              )}
              <Table
                wideOnly={[3, 4]}
                heads={[undefined, text.search.columns.memory, text.memory.layer, text.memory.entity, text.memory.made]}
              >
                {memories.map(({ id, title, layer, entity, created_at: at }) => (
                  <tr key={id}>
                    <td className="narrow-cell">
                      <Checkbox
                        size="xs"
                        aria-label={text.bulk.choose(id)}
                        checked={chosen.has(id)}
                        onChange={() => choose(id)}
                      />
                    </td>
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
