import { aCall } from "@chest/testing";
import { expect, it } from "vitest";
import { withGitState } from "./git-state.ts";

it("adds the commit and the branch to what is remembered, and to nothing else", async () => {
  const sent: unknown[] = [];
  const executor = withGitState(() => ({ commit: "1".repeat(40), branch: "main" }))({
    async execute(name, input) {
      sent.push([name, input]);
      return { ok: true };
    },
  });
  await executor.execute("chest_remember", { content: "a fact", git_branch: "own" }, aCall());
  await executor.execute("chest_recall", { query: "a fact" }, aCall());
  expect(sent).toEqual([
    ["chest_remember", { content: "a fact", git_branch: "own", git_commit: "1".repeat(40) }],
    ["chest_recall", { query: "a fact" }],
  ]);
});
