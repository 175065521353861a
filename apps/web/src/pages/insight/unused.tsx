import { useInfiniteQuery } from "@tanstack/react-query";
import type { RowSelectionState } from "@tanstack/react-table";
import { lazy, Suspense, useState } from "react";
import { memoryPages } from "../../api/pages.ts";
import { text } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf, When } from "../../parts/memory-bits.tsx";
import { Answer, Nothing } from "../../parts/page.tsx";
import { SortedTable } from "../../parts/sorted-table.tsx";
import { ShowMore } from "../../parts/table.tsx";
import { nameIn } from "../../parts/words/own-title.ts";
import { Part } from "./part.tsx";

const Bulk = lazy(async () => ({ default: (await import("../search/bulk.tsx")).Bulk }));

const DAY_MS = 86_400_000;
/** A younger memory may not have been needed yet. */
const YOUNG_DAYS = 30;

/** Memories that no recall has opened in all their time, the oldest first, to be put away together. */
export function Unused() {
  const [until] = useState(() => new Date(Date.now() - YOUNG_DAYS * DAY_MS).toISOString().slice(0, 10));
  const query = useInfiniteQuery(memoryPages({ unused: "true", sort: "oldest", until, limit: 20 }));
  const [chosen, setChosen] = useState<RowSelectionState>({});
  return (
    <Part title={text.insight.dead} lead={text.insight.deadLead}>
      <Answer of={query}>
        {({ pages }) => {
          const memories = pages.flatMap((page) => page.memories);
          if (memories.length === 0) return <Nothing>{text.insight.nothingDead}</Nothing>;
          const taken = memories.filter(({ id }) => chosen[id]);
          return (
            <>
              <p className="lead">{text.search.results(pages[0]?.total ?? 0, false)}</p>
              {taken.length > 0 && (
                <Suspense>
                  <Bulk chosen={taken} clear={() => setChosen({})} />
                </Suspense>
              )}
              <SortedTable
                rows={memories}
                keyOf={({ id }) => id}
                isPart={query.hasNextPage}
                wideOnly={[3, 4]}
                selection={{
                  chosen,
                  set: setChosen,
                  all: text.insight.chooseAll,
                  nameOf: ({ id }) => text.bulk.choose(id),
                }}
                columns={[
                  {
                    head: text.search.columns.memory,
                    cell: (row) => <MemoryLink id={row.id}>{nameIn(row)}</MemoryLink>,
                  },
                  {
                    head: text.memory.layer,
                    by: ({ layer }) => nameOf(text.layers, layer),
                    cell: ({ layer }) => <Layer layer={layer} />,
                  },
                  {
                    head: text.memory.entity,
                    by: ({ entity }) => entity.name,
                    cell: ({ entity }) => <bdi>{entity.name}</bdi>,
                  },
                  {
                    head: text.memory.made,
                    by: ({ created_at: at }) => at,
                    cell: ({ created_at: at }) => <When at={at * 1000} />,
                  },
                ]}
              />
              <ShowMore of={query} />
            </>
          );
        }}
      </Answer>
    </Part>
  );
}
