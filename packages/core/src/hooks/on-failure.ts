import { NEVER_UNASKED } from "../continuity/briefing.ts";
import type { ToolPorts } from "../tool.ts";
import { type FailureTerms, failureTermsOf, namedOf } from "./failure-terms.ts";
import type { FailureHookInput } from "./inputs.ts";
import { passiveRecall, shownBlock } from "./lessons.ts";

const MOST_ROWS = 3;
const WIDTH = 400;
const MOST_COMMAND_TERMS = 3;
/** Share of the best row's terms below which a row is about another failure. */
const LEAST_SHARE = 0.6;

/** Answers a failure with memories of its fix, or warnings of it. */
export async function onFailure(asked: FailureHookInput, ports: ToolPorts) {
  const terms = failureTermsOf(asked.error);
  const command = (asked.command.match(/[a-z][\w-]{1,}/gi) ?? []).slice(0, MOST_COMMAND_TERMS);
  const [first = [], ...others] = terms.lines.map((line) => line.map(({ text }) => text));
  // By the codes first: beside all the words of an output, one code is too small a share of the question.
  const questions = [terms.codes, first, others.flat(), first.length > 0 ? [...first, ...command] : []];
  for (const question of questions) {
    if (question.length === 0) continue;
    const found = await lessonsOn(question.join(" "), terms, asked, ports);
    if (found) return shownBlock(found, "failure", asked.session_id, ports);
  }
  return { ok: true as const };
}

const lessonsOn = (query: string, terms: FailureTerms, asked: FailureHookInput, ports: ToolPorts) =>
  passiveRecall(
    {
      event: asked,
      occasion: "failure",
      language: asked.language,
      limit: MOST_ROWS,
      width: WIDTH,
      query,
      withoutRules: NEVER_UNASKED,
      // A row that only knows the command says nothing of what went wrong with it.
      isFit: ({ memory }) => namedOf(memory.content, terms) > 0,
      leastShare: LEAST_SHARE,
      weigh: ({ memory, score }, factor) => namedOf(memory.content, terms) + factor * score.composite,
    },
    ports,
  );
