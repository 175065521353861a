import { aMemory } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { samenessOf } from "./same.ts";

let made = 0;
const memory = (content: string, over: Parameters<typeof aMemory>[0] = {}) => {
  made += 1;
  return aMemory({ id: made, content, contentHash: `${content.length} ${content}`, ...over });
};
const saysTheSame = (...pair: Parameters<typeof samenessOf>) => samenessOf(...pair) !== undefined;
const isOne = (a: string, b: string) => saysTheSame(memory(a), memory(b));

describe("two memories", () => {
  it.each([
    ["deploys go through the blue cluster", "Deploys are going through the blue cluster."],
    ["The gateway listens on port 8080.", "the gateway is listening on port 8080"],
    ["run `pnpm check` before each push", "Run `pnpm check` before each push!"],
    [
      "the nightly job copies the store to the second region and checks it there",
      "the nightly job copies the whole store to the second region and checks it there",
    ],
    ["デプロイは青いクラスタを通る。", "デプロイは青いクラスタを通る"],
    ["デプロイは青いクラスタを通ります。", "デプロイは青いクラスタを通る"],
    ["배포는 파란 클러스터를 거칩니다", "배포는 파란 클러스터를 거친다."],
    ["部署要经过蓝色集群", "部署要经过蓝色集群。"],
    ["배포는 파란 클러스터를 거친다", "배포는 파란 클러스터를 거친다."],
    ["", ""],
  ])("%j and %j say the same", (a, b) => {
    expect([isOne(a, b), isOne(b, a)]).toEqual([true, true]);
  });

  it.each([
    ["the gateway listens on port 8080", "the gateway listens on port 8081"],
    ["the release is on 2026-01-02", "the release is on 2026-02-01"],
    ["the cache is enabled for guests", "the cache is disabled for guests"],
    ["deploy on fridays is fine with us", "deploy on fridays is not fine with us"],
    ["the client calls the server first", "the server calls the client first"],
    ["copy from the mirror to the archive", "copy to the mirror from the archive"],
    ["we keep the sessions in redis for now", "we keep the sessions in postgres for now"],
    [
      "the nightly job copies the store to the second region and checks it there",
      "the nightly job rarely copies the store to the second region and checks it there",
    ],
    [
      "the nightly job copies the store to the second region and checks it there",
      "the hourly job copies the store to the second region and checks it there",
    ],
    ["short and plain", "short and plain, with a good deal more to it"],
    ["本番で再起動する必要がある", "本番で起動する必要がある"],
    ["本番で実行する", "本番で実行しない"],
    ["部署之前迁移数据库", "部署之后迁移数据库"],
    ["금요일에 배포한다", "금요일에 배포하지 않는다"],
    ["src/auth/login.ts is generated", "src/auth/logout.ts is generated"],
    ["Error: x", ""],
  ])("%j and %j are two", (a, b) => {
    expect([isOne(a, b), isOne(b, a)]).toEqual([false, false]);
  });

  it("of two subjects, or of which one is archived, are two in whatever words", () => {
    const words = "the timeout is 30 seconds";
    const one = memory(words);
    expect(saysTheSame(one, memory(words))).toBe(true);
    expect(saysTheSame(one, memory(words, { entity: { id: 2, name: "other", kind: "project", momentum: 0 } }))).toBe(
      false,
    );
    expect(saysTheSame(one, memory(words, { archivedAt: new Date() }))).toBe(false);
    expect(saysTheSame(one, memory(words, { archivedAt: new Date(), supersededById: 1 }))).toBe(false);
  });

  it.each(["\ud800", "(".repeat(8000), "a_".repeat(4000), "５".repeat(8000)])("of anything are compared", (text) => {
    expect(saysTheSame(memory(`${text}a`), memory(`${text}b`))).toBeTypeOf("boolean");
  });
});
