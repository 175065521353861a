import { expect, it } from "vitest";
import { headingOf, nameIn } from "./own-title.ts";

it.each([
  [
    "its own title",
    { title: "Add columns in two releases", content: "A column that is not null …" },
    "Add columns in two releases",
  ],
  [
    "the first clause, without marks",
    {
      title: "Requests are rate-limited in Redis (`limits:{member}`), 900 a minute; the worker…",
      content: "Requests are rate-limited in Redis (`limits:{member}`), 900 a minute; the worker has more.",
    },
    "Requests are rate-limited in Redis (limits:{member}), 900 a minute",
  ],
  ["the whole of a short text", { content: "Use tabs" }, "Use tabs"],
  ["the heading of a text in Markdown", { content: "## Runbook\n\nCall the desk." }, "Runbook"],
  [
    "a clause of Japanese",
    { content: "日本語の検索は文字の二つ組で索引されるので注意する。一文字の検索語は見つからない。" },
    "日本語の検索は文字の二つ組で索引されるので注意する",
  ],
])("takes for a heading %s", (_, memory, heading) => {
  expect(headingOf(memory)).toBe(heading);
});

it("names a memory in a list by its whole text where its title is only the beginning of that", () => {
  const content = "The date picker takes the first day of the week from the locale.";
  expect(nameIn({ title: "The date picker takes…", content })).toBe(content);
  expect(nameIn({ title: "Weeks", content })).toBe("Weeks");
});
