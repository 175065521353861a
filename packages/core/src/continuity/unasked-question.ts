import type { Question } from "../recall/candidates.ts";
import { readQuery } from "../recall/query.ts";
import type { ToolPorts } from "../tool.ts";
import type { SourceRule } from "../transcript/candidate.ts";
import { NOT_UNASKED, SHOWN_LAYERS } from "./briefing.ts";

interface Taking {
  /** Rows captured by these rules are left out. */
  readonly withoutRules: readonly SourceRule[];
  readonly limit: number;
}

/** Builds the recall question for a hook from a prompt, a file or a task. */
export async function unaskedQuestion(
  about: string,
  { withoutRules, limit }: Taking,
  { ranking, clock, store }: Pick<ToolPorts, "ranking" | "clock" | "store">,
): Promise<Question> {
  return {
    query: readQuery(about, ranking.synonyms),
    filter: {
      reach: "here",
      layers: SHOWN_LAYERS,
      withoutRules,
      withoutCategory: NOT_UNASKED,
      isFlagged: false,
      withArchived: false,
      withSuperseded: false,
    },
    band: undefined,
    sort: "relevance",
    maxTokens: 3000,
    limit,
    offset: 0,
    ignoreDecay: false,
    active: (await store.identities()).active,
    ranking,
    now: clock.now(),
  };
}
