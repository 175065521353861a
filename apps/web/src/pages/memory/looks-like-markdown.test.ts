import { expect, it } from "vitest";
import { looksLikeMarkdown } from "./stored-text.tsx";

it.each([
  ["# Runbook\nFirst the pool.", true],
  ["Steps:\n- drain\n- deploy", true],
  ["The **p95** is 30 ms.", true],
  ["The limit is `limits:{token}`.", true],
  ["Plain words, 3 * 4 and a # sign.", false],
  ["It's ` a lone tick", false],
])("tells Markdown from plain text: %j", (text, is) => {
  expect(looksLikeMarkdown(text)).toBe(is);
});
