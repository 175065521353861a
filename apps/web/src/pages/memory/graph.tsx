import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { forceCollide, forceLink, forceManyBody, forceSimulation, type SimulationNodeDatum } from "d3-force";
import { useMemo, useState } from "react";
import { type LinkGraph, queries } from "../../api/queries.ts";
import { number, text } from "../../i18n/index.ts";
import { Layer, MemoryLink, nameOf } from "../../parts/memory-bits.tsx";
import { Answer } from "../../parts/page.tsx";
import { shortened } from "../../parts/shortened.ts";
import { Table } from "../../parts/table.tsx";

/** With more nodes than this, labels would overlap, so none are drawn. */
const MOST_NAMED = 24;
const MOST_LABEL = 26;
const TICKS = 220;

interface Node extends SimulationNodeDatum {
  readonly id: number;
  x: number;
  y: number;
}

/** Memories around one, drawn, and as a table that tells the same. */
export function Graph({ id }: { readonly id: number }) {
  const query = useQuery(queries.graph(id));
  return (
    <Answer of={query}>
      {(graph) => (
        <>
          <p className="lead">
            {text.memory.graphLead(graph.memories.length, graph.links.length)} {graph.is_cut && text.memory.graphCut}
          </p>
          <div className="graph">
            <Drawing graph={graph} id={id} />
            <Nodes graph={graph} />
          </div>
        </>
      )}
    </Answer>
  );
}

function Drawing({ graph, id }: { readonly graph: LinkGraph; readonly id: number }) {
  const { places, box } = useMemo(() => arrange(graph, id), [graph, id]);
  const [near, setNear] = useState<number>();
  const isNamed = graph.memories.length <= MOST_NAMED;
  return (
    <figure className="drawing" aria-label={text.memory.graph}>
      <svg viewBox={box}>
        <title>{text.memory.graph}</title>
        {graph.links.map(({ from, to, type, note }) => {
          const [a, b] = [places.get(from), places.get(to)];
          if (!a || !b) return null;
          return (
            <line
              key={`${from} ${to} ${type}`}
              {...{ x1: a.x, y1: a.y, x2: b.x, y2: b.y }}
              className={near === from || near === to ? "edge edge-near" : `edge edge-${type}`}
            >
              <title>
                {note === undefined ? nameOf(text.linkTypes, type) : `${nameOf(text.linkTypes, type)}: ${note}`}
              </title>
            </line>
          );
        })}
        {graph.memories.map((memory) => {
          const place = places.get(memory.id);
          if (!place) return null;
          const isNamedHere = isNamed || memory.id === id || memory.id === near;
          return (
            <Link
              key={memory.id}
              to="/memories/$id"
              params={{ id: String(memory.id) }}
              className="node"
              onMouseEnter={() => setNear(memory.id)}
              onMouseLeave={() => setNear(undefined)}
              onFocus={() => setNear(memory.id)}
              onBlur={() => setNear(undefined)}
              aria-label={`#${memory.id} ${memory.title}`}
            >
              <circle
                cx={place.x}
                cy={place.y}
                r={memory.id === id ? 9 : 6}
                className={`ball ball-${memory.layer}${memory.id === id ? " ball-middle" : ""}`}
                opacity={memory.state === "live" ? 1 : 0.45}
              />
              {isNamedHere && (
                <text x={place.x} y={place.y + 20} textAnchor="middle">
                  {shortened(memory.title, MOST_LABEL)}
                </text>
              )}
              <title>{memory.title}</title>
            </Link>
          );
        })}
      </svg>
    </figure>
  );
}

const Nodes = ({ graph }: { readonly graph: LinkGraph }) => {
  const links = new Map<number, number>();
  for (const { from, to } of graph.links) for (const end of [from, to]) links.set(end, (links.get(end) ?? 0) + 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section className="nodes" tabIndex={0} aria-label={text.search.table}>
      <Table
        wideOnly={[2]}
        heads={[
          text.search.columns.memory,
          text.memory.layer,
          { name: text.memory.away, isNumber: true },
          { name: text.memory.links, isNumber: true },
        ]}
      >
        {graph.memories.map(({ id, title, layer, steps }) => (
          <tr key={id}>
            <td>
              <MemoryLink id={id}>{title}</MemoryLink>
            </td>
            <td>
              <Layer layer={layer} />
            </td>
            <td className="num">{number(steps)}</td>
            <td className="num">{number(links.get(id) ?? 0)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
};

/** Lays the memories out, the middle one fixed, and frames them. It draws once: nothing moves under the pointer. */
function arrange({ memories, links }: LinkGraph, middle: number) {
  // Without a place a node is put on a spiral: the same graph looks the same every time.
  const nodes = memories.map(
    ({ id }): Node => ({ id, x: Number.NaN, y: Number.NaN, ...(id === middle ? { fx: 0, fy: 0 } : {}) }),
  );
  const ends = links.map(({ from, to }) => ({ source: from, target: to }));
  forceSimulation(nodes)
    .force(
      "links",
      forceLink<Node, { source: Node | number; target: Node | number }>(ends)
        .id(({ id }) => id)
        .distance(110),
    )
    .force("apart", forceManyBody().strength(-380))
    .force("room", forceCollide(26))
    .stop()
    .tick(TICKS);
  const places = new Map(nodes.map(({ id, x, y }) => [id, { x, y }]));
  const xs = nodes.map(({ x }) => x);
  const ys = nodes.map(({ y }) => y);
  const [left, top] = [Math.min(...xs) - 90, Math.min(...ys) - 40];
  const [width, height] = [Math.max(320, Math.max(...xs) + 90 - left), Math.max(220, Math.max(...ys) + 50 - top)];
  return { places, box: `${left} ${top} ${width} ${height}` };
}
