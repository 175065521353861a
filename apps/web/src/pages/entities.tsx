import { NativeSelect } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ENTITY_KINDS, queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import { nameOf } from "../parts/memory-bits.tsx";
import { Answer, Nothing, NothingYet, Page } from "../parts/page.tsx";
import { SortedTable } from "../parts/sorted-table.tsx";
import { ShowMore } from "../parts/table.tsx";

const PAGE = 100;

/** Entities that something is known about, most active first. */
export function Entities() {
  const { kind } = useSearch({ from: "/entities" });
  const navigate = useNavigate({ from: "/entities" });
  const query = useInfiniteQuery({
    queryKey: ["memories", "entities", kind],
    queryFn: async ({ pageParam: offset, client }) =>
      client.fetchQuery({ ...queries.entities({ kind, offset, limit: PAGE }), staleTime: 0 }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, returned, has_more }) => (has_more ? offset + returned : undefined),
  });
  return (
    <Page
      title={text.entities.title}
      lead={text.entities.lead}
      actions={
        <NativeSelect
          size="xs"
          aria-label={text.entities.kind}
          value={kind ?? ""}
          onChange={({ currentTarget: { value } }) => {
            const chosen = ENTITY_KINDS.find((each) => each === value);
            void navigate({ search: chosen === undefined ? {} : { kind: chosen }, replace: true });
          }}
          data={[
            { value: "", label: text.entities.anyKind },
            ...ENTITY_KINDS.map((value) => ({ value, label: nameOf(text.kinds, value) })),
          ]}
        />
      }
    >
      <Answer of={query}>
        {({ pages }) => {
          const entities = pages.flatMap((page) => page.entities);
          if (entities.length === 0)
            return kind === undefined ? <NothingYet>{text.entities.empty}</NothingYet> : <Nothing />;
          return (
            <>
              <p className="lead">
                {text.entities.count(pages[0]?.total ?? 0)}
                {query.hasNextPage && ` · ${text.entities.sortsLater}`}
              </p>
              <SortedTable
                rows={entities}
                keyOf={({ id }) => id}
                isPart={query.hasNextPage}
                wideOnly={[4, 5]}
                columns={[
                  {
                    head: text.entities.name,
                    className: "break",
                    by: ({ name }) => name,
                    cell: ({ name }) => (
                      <Link to="/entities/$name" params={{ name }}>
                        <bdi>{name}</bdi>
                      </Link>
                    ),
                  },
                  {
                    head: text.entities.kind,
                    by: ({ kind: of }) => nameOf(text.kinds, of),
                  },
                  {
                    head: text.entities.memories,
                    className: "num",
                    by: ({ memory_count: count }) => count,
                    cell: ({ memory_count: count }) => number(count),
                  },
                  { head: text.entities.layers, cell: ({ layer_breakdown: of }) => <Layers of={of} /> },
                  { head: text.entities.lastUse, timeOf: ({ last_memory_access }) => last_memory_access },
                ]}
              />
              <ShowMore of={query} />
            </>
          );
        }}
      </Answer>
    </Page>
  );
}

const Layers = ({ of }: { readonly of: Readonly<Record<string, number>> }) => (
  <span className="meta layers">
    {Object.entries(of)
      .filter(([, count]) => count > 0)
      .map(([layer, count]) => (
        <span key={layer} className="live" title={nameOf(text.layers, layer)}>
          <span className={`dot dot-${layer}`} aria-hidden="true" />
          <span className="sr-only">{nameOf(text.layers, layer)}</span>
          {number(count)}
        </span>
      ))}
  </span>
);
