import { inSessionProject } from "../access/session.ts";
import type { Wrap } from "../executor.ts";
import type { Engine } from "../ports/engine.ts";
import { redact } from "../redaction/redact.ts";
import { cut } from "../text/cut.ts";
import { readInput } from "../tool.ts";
import { recall } from "../tools/recall.ts";

interface WarnLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

const MOST_CHARACTERS = 300;
/** Arguments that do not narrow a question. */
const UNNARROWED = new Set(["query", "project", "mark_accessed", "max_tokens", "token_budget", "limit", "format"]);
const HOW_IT_IS_SHOWN = ["explain", "snippet_mode", "snippet_window", "sort", "query_embedding", "with_sources"];
for (const name of HOW_IT_IS_SHOWN) UNNARROWED.add(name);

/**
 * Records questions that found nothing, redacted, for operators. Questions with a filter are left out, because the
 * filter may be the reason; so are unmarked ones, such as a search while typing.
 */
export const keepGaps =
  (engine: Pick<Engine, "as">, log: WarnLog): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      const answer = await next.execute(name, input, call);
      const question = name === recall.name && answer.total_candidates === 0 ? asked(input, answer) : undefined;
      if (question === undefined) return answer;
      const { idempotencyKey: _, ...unkeyed } = call;
      try {
        const store = engine.as(await inSessionProject(unkeyed, engine));
        await store.write((tx) => tx.gaps.note(question));
      } catch (error) {
        log.warn({ err: error }, "a question that found nothing is not kept");
      }
      return answer;
    },
  });

function asked(input: unknown, { degraded }: Record<string, unknown>): string | undefined {
  const read = readInput(recall, input);
  const isNarrowed = Object.entries(read).some(
    ([name, value]) => !UNNARROWED.has(name) && value !== undefined && value !== false && value !== 0,
  );
  const isLate = Array.isArray(degraded) && degraded.some(({ reason }) => reason === "timeout");
  if (isNarrowed || isLate || read.mark_accessed === false || typeof read.query !== "string") return undefined;
  const scrubbed = cut(redact(read.query).replace(/\s+/g, " ").trim(), MOST_CHARACTERS);
  return scrubbed === "" ? undefined : scrubbed;
}
