import { expect, it } from "vitest";
import { asPrompt, isWorthAsking } from "./worth-asking.ts";

it.each([
  "commit this",
  "Commit and push, please.",
  "run the tests",
  "now run the tests again",
  "fix the failing tests",
  "back to main",
  "looks good, open a PR",
  "ok, do steps 2 and 3 next",
  "コミットして",
  "コミットしてプッシュしてください。",
  "テストをもう一度実行して",
  "提交一下代码",
  "运行所有测试",
  "커밋하고 푸시해줘",
  "테스트 다시 돌려줘",
])("asks nothing by an order that names nothing: %s", (prompt) => {
  expect(isWorthAsking(prompt)).toBe(false);
});

it.each([
  "commit the importer",
  "how do we deploy to staging?",
  "why do the tests fail on Windows",
  "run the migration on staging",
  "fix the webhook signature",
  "デプロイの手順を教えて",
  "為替レートの計算を修正して",
  "修复发票导出",
  "웹훅 서명을 수정해줘",
])("asks by one that names something: %s", (prompt) => {
  expect(isWorthAsking(prompt)).toBe(true);
});

const LOG = Array.from(
  { length: 60 },
  (_, nth) => `2026-03-02T08:1${nth % 10}:00Z INFO worker ${nth} took a job of the queue for mails`,
).join("\n");

it.each([
  ["before a log", `why does the tide table start at noon?\n\n${LOG}`],
  ["after a log", `${LOG}\n\nwhy does the tide table start at noon?`],
  ["beside code", `why does the tide table start at noon?\n\`\`\`ts\nconst a = 1;\nconst b = 2;\n\`\`\``],
  ["before megabytes", `why does the tide table start at noon?\n${`${LOG}\n`.repeat(200)}`],
  ["after megabytes", `${`${LOG}\n`.repeat(200)}why does the tide table start at noon?`],
])("is what a person says %s", (_what, typed) => {
  expect(asPrompt(typed)).toBe("why does the tide table start at noon?");
});

it("keeps the line of a pasted trace that tells the error", () => {
  const trace = [
    "Traceback (most recent call last):",
    '  File "tides.py", line 4, in <module>',
    '    table["noon"]',
    '  File "table.py", line 9, in __getitem__',
    "    raise TideError(key)",
    "TideError: noon is not measured",
  ];
  expect(asPrompt(`the import of May breaks\n\n${trace.join("\n")}`)).toBe(
    "the import of May breaks TideError: noon is not measured",
  );
});

it("is the whole prompt where little or everything is pasted", () => {
  expect(asPrompt("move these:\n- the tide table\n- the moon table")).toBe(
    "move these: - the tide table - the moon table",
  );
  expect(asPrompt(LOG)).toContain("worker 1 took a job");
});
