import { expect, it } from "vitest";
import { isWorthAsking } from "./worth-asking.ts";

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
