import type { Reranking } from "../../ports/models/reranker.ts";
import type { ToolPorts } from "../../tool.ts";
import type { Candidate, CandidateList, Question } from "../candidates.ts";
import { chain, iterate } from "../streams.ts";
import { until } from "../until.ts";
import { standingFor } from "./dedupe.ts";

/** Candidates with logits this far below the best are dropped, if enough others remain. */
const FAR_BELOW = 5;
const KEPT_ANYWAY = 5;

/**
 * Reorders the best candidates by a cross-encoder; the rest stays below in its order. If the model is late or fails,
 * the order stays, and the answer says so.
 */
export async function reranked(found: CandidateList, { query }: Question, ports: ToolPorts): Promise<CandidateList> {
  const { rerank } = ports;
  if (!rerank || !query) return found;
  const rest = iterate(found.candidates);
  const best = await take(rest, rerank.topN);
  const logits = await logitsOf(query.text, best, rerank, ports.signal);
  if (typeof logits === "string") {
    const degraded = [...found.degraded, { leg: "rerank", reason: logits }];
    return { ...found, candidates: chain(best, rest), degraded };
  }
  const order = best.map((candidate, at) => ({ candidate, logit: logits[at] ?? 0 }));
  order.sort((a, b) => b.logit - a.logit);
  const least = (order[0]?.logit ?? 0) - FAR_BELOW;
  const kept = order.filter(({ logit }, at) => at < KEPT_ANYWAY || logit >= least).map(({ candidate }) => candidate);
  return { ...found, candidates: chain(kept, rest), total: found.total - (standingFor(best) - standingFor(kept)) };
}

/**
 * A logit for each candidate, or the reason for none. A model that hangs gets the deadline's signal, but is not waited
 * for.
 */
async function logitsOf(
  query: string,
  candidates: readonly Candidate[],
  { reranker, timeoutMs }: Reranking,
  signal: AbortSignal,
): Promise<readonly number[] | "timeout" | "failed"> {
  if (candidates.length < 2) return candidates.map(() => 0);
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const texts = candidates.map(({ memory }) => memory.content);
  try {
    const logits = await until(deadline, () => reranker.score(query, texts, deadline));
    if (logits?.length === texts.length && logits.every(Number.isFinite)) return logits;
  } catch {
    // Reported in the answer: the previous order is kept.
  }
  return deadline.aborted ? "timeout" : "failed";
}

async function take(candidates: AsyncGenerator<Candidate>, count: number): Promise<Candidate[]> {
  const taken: Candidate[] = [];
  while (taken.length < count) {
    const { value, done } = await candidates.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
