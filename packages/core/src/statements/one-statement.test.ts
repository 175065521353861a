import { describe, expect, it } from "vitest";
import { isOneStatement } from "./one-statement.ts";

describe("one statement", () => {
  it.each([
    ["Check the lock file before every push.", "check the lock file before each push"],
    ["CHECK THE LOCK FILE BEFORE EVERY PUSH!", "Check the lock file before every push."],
    ["Check the lock  file\nbefore every push", "Check the lock file before every push"],
    ["- Check the lock file", "Check the lock file."],
    ["run `pnpm check` (twice) first", "Run pnpm check twice first"],
    ["“Quiet hours” end at 9:30", '"quiet hours" end at 9:30.'],
    ["デプロイは 青い クラスタを通る。", "デプロイは青いクラスタを通る"],
    ["部署前，先迁移数据库。", "部署前, 先迁移数据库"],
    ["배포는 파란 클러스터를 거친다", "배포는 파란 클러스터를 거친다."],
    ["ＡＰＩ の上限は５件", "API の上限は5件。"],
  ])("is %j in the spelling %j", (a, b) => {
    expect([isOneStatement(a, b), isOneStatement(b, a)]).toEqual([true, true]);
  });

  it.each([
    ["wait 5 seconds", "wait 50 seconds"],
    ["wait 5 seconds", "wait 5 minutes"],
    ["wait 3.5 s", "wait 35 s"],
    ["at 1, 2 and 3", "at 12 and 3"],
    ["offset -1 is the last", "offset 1 is the last"],
    ["keep it <5 ms", "keep it >5 ms"],
    ["it is written in C", "it is written in C++"],
    ["No, deploys run on Friday", "No deploys run on Friday"],
    ["Never. Deploy on Friday", "Never deploy on Friday"],
    ["they call each other", "they call every other"],
    ["the cache is on", "the cache is off"],
    ["deploy on Friday", "do not deploy on Friday"],
    ["edit config.ts first", "edit Config.ts first"],
    ["set MAX_WAIT first", "set max_wait first"],
    ["send it to IT", "send it to it"],
    ["Marek reviews it", "Maria reviews it"],
    ["every test needs a name", "any test needs a name"],
    ["all tests run", "each test runs"],
    ["push with --force", "push with force"],
    ["see src/a.ts", "see src/b.ts"],
    ["react 18.2 is pinned", "react 18.3 is pinned"],
    ["Is the cache on?", "is the cache on"],
    ["call f() first", "call f first"],
    ["不可以部署", "不，可以部署"],
    ["本番で実行する", "本番で実行しない"],
    ["最大5件", "最大15件"],
    ["금요일에 배포한다", "금요일에 배포하지 않는다"],
    ["部署之前迁移", "部署之后迁移"],
    ["use the `Date` type", "use the `date` type"],
    ["", "."],
  ])("is not both %j and %j", (a, b) => {
    expect([isOneStatement(a, b), isOneStatement(b, a)]).toEqual([false, false]);
  });
});
