import { describe, expect, it } from "vitest";
import { nextStepsIn } from "./next-steps.ts";

const DONE = "The importer reads the new format and all tests pass.";
const STEPS = ["Rotate the signing key", "Delete src/legacy/upload.ts"];
const list = (mark: (nth: number) => string) => STEPS.map((step, nth) => `${mark(nth)}${step}`).join("\n");

describe("steps that a turn leaves", () => {
  it.each([
    ["a heading and a list", `${DONE}\n\n## Next steps\n\n${list(() => "- ")}`],
    ["a heading with a colon", `${DONE}\n\n### Next Steps:\n${list(() => "* ")}`],
    ["a bold line", `${DONE}\n\n**Next steps:**\n${list((nth) => `${nth + 1}. `)}`],
    ["a bold line, the colon outside", `${DONE}\n\n**Remaining work**:\n\n${list(() => "- ")}`],
    ["a line with a colon", `${DONE}\n\nNext steps:\n${list((nth) => `${nth + 1}) `)}`],
    ["a line in the flow", `${DONE} Still open:\n${list(() => "• ")}`],
    ["what is left", `${DONE}\n\nWhat's left:\n${list(() => "- ")}`],
    ["follow-ups", `${DONE}\n\n#### Follow-ups\n${list(() => "- ")}`],
    ["boxes", `${DONE}\n\nTODO:\n- [x] Read the format\n${list(() => "- [ ] ")}`],
    ["boxes without a head", `${DONE}\n\n- [x] Read the format\n${list(() => "- [ ] ")}`],
    ["signs for boxes", `${DONE}\n\n✅ Read the format\n${list(() => "☐ ")}`],
    ["a question that it asks itself", `${DONE}\n\n## What's next?\n${list(() => "- ")}`],
    ["such a question without a mark", `${DONE}\n\nWhat is still missing?\n\n${list(() => "- ")}`],
    ["a line with a sign before it", `${DONE}\n\n🚀 Remaining steps\n${list(() => "- ")}`],
    ["an underlined line", `${DONE}\n\nStill open\n----------\n${list(() => "- ")}`],
    ["loose ends", `${DONE}\n\nLoose ends:\n${list(() => "- ")}`],
    ["what a change leaves out", `${DONE}\n\n**Not included here**\n${list(() => "- ")}`],
    ["brackets of Japanese", `取り込みは完了しました。\n\n【今後の作業】\n${list((nth) => `${nth + 1}. `)}`],
    ["a Chinese line without a mark", `导入已经完成。\n\n剩下的工作\n${list((nth) => `${nth + 1}. `)}`],
    ["a Korean line without a mark", `가져오기가 끝났습니다.\n\n앞으로 할 일\n${list(() => "- ")}`],
    ["a bare word", `${DONE}\n\nTODO\n${list(() => "- ")}`],
    ["a table", `${DONE}\n\n### Remaining items\n\n| # | Task |\n|---|---|\n| 1 | ${STEPS[0]} |\n| 2 | ${STEPS[1]} |`],
    ["a divided list", `${DONE}\n\n**Still unresolved:**\n\n### Keys\n1. ${STEPS[0]}\n\n### Files\n2. ${STEPS[1]}`],
    ["Japanese", `取り込みは完了しました。\n\n## 次のステップ\n${list(() => "- ")}`],
    ["Japanese, a colon", `取り込みは完了しました。\n\n残りの作業：\n${list(() => "・")}`],
    ["Chinese", `导入已经完成。\n\n下一步：\n${list((nth) => `${nth + 1}. `)}`],
    ["Chinese, a heading", `导入已经完成。\n\n## 待办事项\n${list(() => "- ")}`],
    ["Korean", `가져오기가 끝났습니다.\n\n**다음 단계:**\n${list(() => "- ")}`],
    ["Korean, what is left", `가져오기가 끝났습니다.\n\n남은 작업:\n${list((nth) => `${nth + 1}. `)}`],
    ["choices", `${DONE}\n\nTwo options:\n\n1. ${STEPS[0]}\n2. ${STEPS[1]}\n\nWhich one do you prefer?`],
  ])("stand under %s", (_, text) => {
    expect(nextStepsIn(text).filter((step) => STEPS.includes(step))).toEqual(STEPS);
  });

  it.each([
    "Next: delete the case that is skipped (test/upload.test.ts) and turn strict mode on",
    "Next step: teach src/queue.ts to acknowledge what it has written",
    "I still need to run the migration on staging",
    "We still have to rename config.json to chest.config.json",
    "The report test still fails on Windows",
    "You'll need to rotate the key before Friday",
    "Remaining: the Korean texts of the page",
    "When you're ready, push the branch with git push",
    "The change to release.yml is staged, not committed",
    "Ready to commit whenever you say the word",
    "I did not get to the report for archived tenants",
    "I left the Windows runner for later",
    "The retry in src/queue.ts isn't covered yet",
    "Pick up at src/queue.ts next time",
    "続きは src/queue.ts の確認応答からです",
    "明天继续写 src/queue.ts 的确认",
    "내일은 src/queue.ts 의 확인 응답을 넣습니다",
    "次は src/queue.ts に確認応答を入れます",
    "残りは韓国語の文言だけです",
    "まだ移行は実行していません",
    "下一步是在 src/queue.ts 里加上确认",
    "还需要在预发环境运行迁移",
    "다음은 src/queue.ts 에 확인 응답을 넣는 것입니다",
    "아직 마이그레이션을 실행하지 않았습니다",
  ])("are said in a sentence, and not cut at a file's name: %s", (step) => {
    const [full] = /[\p{Script=Hangul}a-z]$/u.test(step) ? ["."] : ["。"];
    expect(nextStepsIn(`${DONE} ${step}${full}`)).toEqual([step]);
    expect(nextStepsIn(`${DONE}\n\n${step}`)).toEqual([step]);
  });

  it.each([
    "Want me to commit and push?",
    "Should I go ahead and create .github/workflows/ci.yml?",
    "リリースも行いますか？",
    "要不要我把这个提交并推送？",
    "커밋하고 푸시할까요?",
  ])("are offered: %s", (offer) => {
    expect(nextStepsIn(`${DONE}\n\n${offer}`)).toEqual([offer]);
  });

  it.each([
    DONE,
    "Committed as b67cccf. All 1219 tests pass, lint and typecheck clean.",
    "I'll read the importer first.",
    "## Summary\n\n- Added the reader\n- Removed the old format\n\nEverything is green.",
    "## Changes\n\n| File | Change |\n|---|---|\n| src/a.ts | reads the next page |",
    `${DONE} Nothing else is left to do.`,
    `${DONE} There are no open questions.`,
    `${DONE}\n\n## Next steps\n\nNone.`,
    `${DONE}\n\n**Remaining work:** none`,
    `${DONE}\n\nWhat would you like to do next?`,
    `${DONE} Is there anything else?`,
    "取り込みは完了しました。残りの作業は特にありません。",
    "导入已经完成，没有遗留的待办。",
    "가져오기가 끝났습니다. 남은 일은 없습니다.",
    "コミットしました。",
    "已经全部完成。",
    "모두 완료했습니다.",
  ])("are none in: %s", (text) => {
    expect(nextStepsIn(text)).toEqual([]);
  });

  it("follow a question that the agent answers itself", () => {
    const said = `${DONE} So what's left? The signing key has to be rotated. Then src/legacy/upload.ts goes.`;
    expect(nextStepsIn(said)).toEqual(["The signing key has to be rotated", "Then src/legacy/upload.ts goes"]);
  });

  it("are what nothing but is left of", () => {
    expect(nextStepsIn(`${DONE} Nothing is left to do but the release notes.`)).toEqual([
      "Nothing is left to do but the release notes",
    ]);
  });

  it("are not those that are done, nor what stands under another heading, nor code", () => {
    const said = [
      "## Next steps",
      "- ~~Read the format~~",
      "- Write the docs ✅",
      "- Rotate the signing key",
      "## What I did",
      "- Read the format",
      "```",
      "TODO: nothing",
      "```",
    ];
    expect(nextStepsIn(said.join("\n"))).toEqual(["Rotate the signing key"]);
  });
});
