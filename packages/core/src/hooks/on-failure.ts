import { WORK_LOG_RULES } from "../continuity/briefing.ts";
import type { ToolPorts } from "../tool.ts";
import { errorLineOf } from "../transcript/failures.ts";
import type { FailureHookInput } from "./inputs.ts";
import { passiveRecall } from "./lessons.ts";

const MOST_ROWS = 3;
const WIDTH = 400;
const MOST_ERROR_TERMS = 6;
const MOST_COMMAND_TERMS = 3;
const EXCEPTION = /\b[A-Z]\w*(?:Error|Exception|Panic|Fault)\b|\bE[A-Z]{4,}\b|\b(?:TS|E|CS|C)\d{3,5}\b/g;
const WORD = /[A-Za-z_][\w.-]{3,}/g;
const SAYS_NOTHING = new Set(
  "error errors failed failure fatal cannot could with from this that have found line file function module process exit code undefined null true false not".split(
    " ",
  ),
);

/** Answers a failure with memories of its fix, or warnings of it. */
export async function onFailure(asked: FailureHookInput, ports: ToolPorts) {
  const terms = termsOf(asked.error);
  if (terms.length === 0) return { ok: true as const };
  const command = (asked.command.match(/[a-z][\w-]{1,}/gi) ?? []).slice(0, MOST_COMMAND_TERMS);
  return await passiveRecall(
    {
      event: asked,
      occasion: "failure",
      language: asked.language,
      limit: MOST_ROWS,
      width: WIDTH,
      query: [...terms, ...command].join(" "),
      withoutRules: WORK_LOG_RULES,
      // A row that only knows the command says nothing of what went wrong with it.
      isFit: ({ memory }) => matching(memory.content, terms) >= Math.min(2, terms.length),
      weigh: ({ memory, score }, factor) => matching(memory.content, terms) + factor * score.composite,
    },
    ports,
  );
}

/** Extracts the terms of a failure: the exception first, then the rarer words of the line that reports it. */
function termsOf(error: string): string[] {
  const exceptions = error.match(EXCEPTION) ?? [];
  const words = (errorLineOf(error) ?? "").match(WORD) ?? [];
  const telling = words.filter((word) => !SAYS_NOTHING.has(word.toLowerCase()));
  return [...new Set([...exceptions, ...telling])].slice(0, MOST_ERROR_TERMS);
}

function matching(content: string, terms: readonly string[]): number {
  const text = content.toLowerCase();
  return terms.filter((term) => text.includes(term.toLowerCase())).length;
}
