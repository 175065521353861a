import { digestText } from "@chest/core/listing";
import { expect, it } from "vitest";
// The page is not a package with exports, so its words are read from their file.
// biome-ignore lint/style/noRestrictedImports: see above
import { en } from "../../apps/web/src/i18n/en.ts";

const waiting = { contradictions: 0, stale: 0, flagged: 0, promotions: 0, duplicates: 0 };
const nothing = { learned: { total: 0, projects: [], memories: [] }, rules: [], helped: { opened: 0, memories: [] } };
const sentencesOf = (facts: object) =>
  digestText({ ...nothing, waiting, ...facts }, { since: new Date(0), project: undefined });

it("a digest and the first view of the page use the same sentences", () => {
  const { home } = en;
  const empty = sentencesOf({});
  expect(empty).toContain(`# ${home.title}\n`);
  for (const words of [home.learned, home.helped, home.waiting]) expect(empty).toContain(`## ${words}\n`);
  for (const words of [home.nothingLearned, home.nothingHelped, home.nothingWaits]) expect(empty).toContain(words);
  const projects = [{ memories: 2 }, { project: "host/org/pond", memories: 1 }];
  const full = sentencesOf({
    learned: { total: 3, projects, memories: [] },
    helped: { opened: 1, memories: [] },
    gaps: [{ question: "where do herons winter", times: 2 }],
  });
  for (const words of [home.learnedSum(3, 2), home.opened(1), home.noProject, `## ${en.insight.gaps}\n`])
    expect(full).toContain(words);
});
