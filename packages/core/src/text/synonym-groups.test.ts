import { expect, it } from "vitest";
import { readQuery } from "../recall/query.ts";
import { fold } from "./fold.ts";
import { foldHan } from "./fold-han.ts";
import { SYNONYM_GROUPS } from "./synonym-groups.ts";

const MOST_MEMBERS = 4500;

const groups = SYNONYM_GROUPS.map((group) => group.split(", "));

const asked = (query: string): string[] =>
  readQuery(query).units.flatMap(({ alternatives }) =>
    alternatives.map(({ terms }) => terms.map(({ text }) => text).join(" ")),
  );

it("holds groups of two and more, each member once and as a reader sees it", () => {
  const faulty = groups.filter(
    (group) =>
      group.length < 2 ||
      group.some(
        (member, at) =>
          member.length < 2 ||
          /[,;]|^\s|\s$/.test(member) ||
          fold(group.slice(0, at).join()).split(",").includes(fold(member)),
      ),
  );
  expect(faulty).toEqual([]);
});

it("stays small enough to be walked over by every query", () => {
  expect(groups.flat().length).toBeLessThan(MOST_MEMBERS);
});

it.each([
  ["rolled back", "rollback"],
  ["time-out", "timeout"],
  ["hotfix", "hot fix"],
  ["how to log in", "login"],
  ["csharp", "c#"],
  ["utf8", "utf-8"],
  ["deps", "dependencies"],
  ["2fa", "二段階認証"],
  ["正規表現", "regex"],
  ["o11y", "observability"],
  ["colour", "color"],
  ["申込", "申し込み"],
  ["問合せ", "問い合わせ"],
  ["ヴァージョン", "バージョン"],
  ["帐号", "账号"],
  ["記憶體", "内存"],
  ["메세지", "메시지"],
  ["데이터 베이스", "데이터베이스"],
  ["復号", "decrypt"],
  ["空指针", "null pointer"],
  ["데이터 센터", "データセンター"],
  ["数组", "배열"],
])("asks for %s as %s too", (query, other) => {
  expect(asked(query)).toContain(foldHan(other));
});

it.each([
  ["レコード", "code"],
  ["RabbitMQ", "message queue"],
  ["/var/log", "variable"],
  ["プラットフォーム", "form"],
  ["グループ", "loop"],
  ["저장소", "save"],
])("does not take %s for %s", (query, other) => {
  expect(asked(query)).not.toContain(other);
});
