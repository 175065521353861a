import { NativeSelect } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ENTITY_KINDS, queries } from "../api/queries.ts";
import { number, text } from "../i18n/index.ts";
import { nameOf, When } from "../parts/memory-bits.tsx";
import { Answer, Nothing, NothingYet, Page } from "../parts/page.tsx";
import { ShowMore, Table } from "../parts/table.tsx";

const PAGE = 100;

/** Entities that something is known about, most active first. */
export function Entities() {
  const { kind } = useSearch({ from: "/entities" });
  const navigate = useNavigate({ from: "/entities" });
  const asked = useInfiniteQuery({
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
      <Answer of={asked}>
        {({ pages }) => {
          const entities = pages.flatMap((page) => page.entities);
          if (entities.length === 0)
            return kind === undefined ? <NothingYet>{text.entities.empty}</NothingYet> : <Nothing />;
          return (
            <>
              <p className="lead">{text.entities.count(pages[0]?.total ?? 0)}</p>
              <Table
                wideOnly={[4, 5, 6]}
                heads={[
                  text.entities.name,
                  text.entities.kind,
                  { number: text.entities.memories },
                  text.entities.layers,
                  { number: text.entities.momentum },
                  text.entities.lastUse,
                ]}
              >
                {entities.map((entity) => (
                  <tr key={entity.id}>
                    <td className="break">
                      <Link to="/entities/$name" params={{ name: entity.name }}>
                        <bdi>{entity.name}</bdi>
                      </Link>
                    </td>
                    <td>{nameOf(text.kinds, entity.kind)}</td>
                    <td className="num">{number(entity.memory_count)}</td>
                    <td>
                      <Layers of={entity.layer_breakdown} />
                    </td>
                    <td className="num">{number(entity.momentum, { maximumFractionDigits: 1 })}</td>
                    <td>{entity.last_memory_access ? <When at={entity.last_memory_access} /> : text.common.never}</td>
                  </tr>
                ))}
              </Table>
              <ShowMore of={asked} />
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
