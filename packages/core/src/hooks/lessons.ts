import type { Layer } from "../memory/layer.ts";
import { type Candidate, candidatesByQuery } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import type { ToolPorts } from "../tool.ts";
import type { Shown } from "./block.ts";

interface Asked {
  readonly query: string;
  readonly layers: readonly Layer[];
  readonly without: ReadonlySet<number>;
  readonly limit: number;
  isFit(candidate: Candidate): boolean;
  /** In place of the composite score. */
  weigh?(candidate: Candidate): number;
}

const LOOKED_AT = 30;

/** The best memories for a passive surface: nothing is marked as read, and no model is waited for long. */
export async function passiveRecall({ query, layers, without, limit, isFit, weigh }: Asked, ports: ToolPorts) {
  const { ranking, clock, limits } = ports;
  const question = {
    query: readQuery(query, ranking.synonyms),
    filter: { reach: "here", layers, withArchived: false, withSuperseded: false },
    ...{
      band: undefined,
      sort: "relevance" as const,
      maxTokens: 3000,
      limit: LOOKED_AT,
      offset: 0,
      ignoreDecay: false,
    },
    ...{ ranking, now: clock.now() },
  } as const;
  const quick = { ...ports, limits: { ...limits, queryEmbedMs: Math.min(limits.queryEmbedMs, PASSIVE_EMBED_MS) } };
  const { candidates } = await candidatesByQuery(question, quick);
  const found: { candidate: Candidate; weight: number }[] = [];
  let looked = 0;
  for await (const candidate of candidates) {
    looked += 1;
    if (looked > LOOKED_AT) break;
    if (!isFit(candidate)) continue;
    found.push({ candidate, weight: weigh?.(candidate) ?? candidate.score.composite });
  }
  const best = found.sort((a, b) => b.weight - a.weight || b.candidate.memory.id - a.candidate.memory.id);
  return saidOnce(best.map(({ candidate }) => ({ memory: candidate.memory, score: candidate.score.composite })))
    .filter(({ memory }) => !without.has(memory.id))
    .slice(0, limit);
}

// A prompt is being held up meanwhile.
const PASSIVE_EMBED_MS = 400;

/** Without those that hold what a better one says, or say less of the same. */
function saidOnce(rows: readonly Shown[]): Shown[] {
  const kept: Shown[] = [];
  for (const row of rows) {
    const { content } = row.memory;
    const isSaid = kept.some(({ memory }) => memory.content.includes(content) || content.includes(memory.content));
    if (!isSaid) kept.push(row);
  }
  return kept;
}
