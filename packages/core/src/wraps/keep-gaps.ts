import type { AnsweredCall } from "../pipeline.ts";
import type { Engine } from "../ports/engine.ts";
import { redact } from "../redaction/redact.ts";
import { cut } from "../text/cut.ts";
import { isNarrowed, recall } from "../tools/recall.ts";

interface WarnLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

const MOST_CHARACTERS = 300;

/**
 * Records questions that found nothing, redacted, for operators. Questions with a filter are left out, because the
 * filter may be the reason; so are unmarked ones, such as a search while typing.
 */
export const keepGaps =
  (engine: Pick<Engine, "as">, log: WarnLog) =>
  async ({ tool, input, answer, call }: AnsweredCall): Promise<void> => {
    if (tool !== recall.name || answer.total_candidates !== 0) return;
    const question = unanswered(input, answer);
    if (question === undefined) return;
    const { idempotencyKey: _, request: __, ...own } = call;
    try {
      await engine.as(own).write((tx) => tx.gaps.note(question));
    } catch (error) {
      log.warn({ err: error }, "a question that found nothing is not kept");
    }
  };

function unanswered(request: AnsweredCall["input"], { degraded }: AnsweredCall["answer"]): string | undefined {
  const isLate = Array.isArray(degraded) && degraded.some(({ reason }) => reason === "timeout");
  if (isNarrowed(request) || isLate || request.mark_accessed === false || typeof request.query !== "string")
    return undefined;
  const scrubbed = cut(redact(request.query).replace(/\s+/g, " ").trim(), MOST_CHARACTERS);
  return scrubbed === "" ? undefined : scrubbed;
}
