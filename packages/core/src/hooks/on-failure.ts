import { NEVER_UNASKED } from "../continuity/briefing.ts";
import type { Memory } from "../memory/memory.ts";
import type { ToolPorts } from "../tool.ts";
import { CAPTURE_RULES } from "../transcript/candidate.ts";
import { failedLineOf } from "../transcript/failed-line.ts";
import { type FailureTerms, failureTermsOf, namedOf } from "./failure-terms.ts";
import type { FailureHookInput } from "./inputs.ts";
import { passiveRecall, shownBlock } from "./lessons.ts";

const MOST_ROWS = 3;
const WIDTH = 400;
const MOST_COMMAND_TERMS = 3;
/** Share of the best row's terms below which a row is about another failure. */
const LEAST_SHARE = 0.6;

const WITHOUT_RULES = NEVER_UNASKED.filter((rule) => rule !== "failure");

/** Answers a failure with memories of its fix, or warnings of it. */
export async function onFailure(input: FailureHookInput, ports: ToolPorts) {
  const terms = failureTermsOf(input.error);
  const command = (input.command.match(/[a-z][\w-]{1,}/gi) ?? []).slice(0, MOST_COMMAND_TERMS);
  const [first = [], ...others] = terms.lines.map((line) => line.map(({ text }) => text));
  // The codes are asked for first and alone: among all words of an output, one code would hardly count.
  const questions = [terms.codes, first, others.flat(), first.length > 0 ? [...first, ...command] : []];
  for (const question of questions) {
    if (question.length === 0) continue;
    const found = await lessonsOn(question.join(" "), terms, input, ports);
    if (found) return shownBlock(found, "failure", input.session_id, ports);
  }
  return { ok: true as const };
}

const lessonsOn = (query: string, terms: FailureTerms, input: FailureHookInput, ports: ToolPorts) =>
  passiveRecall(
    {
      event: input,
      occasion: "failure",
      language: input.language,
      limit: MOST_ROWS,
      width: WIDTH,
      query,
      // Of the journal, how such a command failed before is shown, and nothing else.
      withoutRules: WITHOUT_RULES,
      isNote: isFailureNote,
      // A row that only names the command says nothing about this failure.
      isFit: ({ memory }) => namedIn(memory, terms) > 0,
      leastShare: LEAST_SHARE,
      weigh: ({ memory, score }, factor) => namedIn(memory, terms) + factor * score.composite,
    },
    ports,
  );

/** A row about a failure matches by the line of its error alone, because the rest of the row names other things. */
const namedIn = ({ content }: Memory, terms: FailureTerms): number => namedOf(failedLineOf(content) ?? content, terms);

const isFailureNote = ({ layer, content }: Memory): boolean =>
  layer === CAPTURE_RULES.failure.layer && failedLineOf(content) !== undefined;
