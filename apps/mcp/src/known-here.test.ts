import { throughStages } from "@chest/core/executor";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { expect, it } from "vitest";
import { knownHere } from "./known-here.ts";

it("adds the commit and the branch to what is remembered, and to nothing else", async () => {
  const sent: unknown[] = [];
  const executor = throughStages(
    TOOLS,
    async ({ tool, input }) => {
      sent.push([tool.name, input]);
      return { ok: true };
    },
    knownHere(
      async () => [],
      () => ({ commit: "1".repeat(40), branch: "main" }),
    ),
  );
  await executor.execute("chest_remember", { content: "a fact", git_branch: "own" }, aCall());
  await executor.execute("chest_recall", { query: "a fact" }, aCall());
  expect(sent).toEqual([
    ["chest_remember", { content: "a fact", git_branch: "own", git_commit: "1".repeat(40) }],
    ["chest_recall", { query: "a fact" }],
  ]);
});
