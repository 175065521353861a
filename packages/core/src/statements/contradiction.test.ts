import {
  CONTRADICTING_SHORT,
  contradictingPairs,
  HARMLESS_SHORT,
  harmlessPairs,
  type ShortPair,
  type StatementPair,
} from "@chest/testing";
import { describe, expect, it } from "vitest";
import { contradiction } from "./contradiction.ts";

const isFlagged = ({ a, b }: Pick<StatementPair, "a" | "b">): boolean => {
  const [one, other] = [contradiction(a, b), contradiction(b, a)];
  expect(one?.reason, `${a} | ${b}`).toBe(other?.reason);
  return one !== undefined;
};

const told = (name: string, pairs: readonly StatementPair[]) => {
  const flagged = (split: StatementPair["split"]) => {
    const own = pairs.filter((pair) => pair.split === split);
    return `${split} ${own.filter(isFlagged).length} of ${own.length}`;
  };
  process.stdout.write(`contradictions, ${name}: ${flagged("tuned")}, ${flagged("reported")} flagged\n`);
};

describe("two statements", () => {
  it("that contradict each other are found, 38 of 45 at least", () => {
    const pairs = contradictingPairs();
    told("contradicting", pairs);
    expect(pairs).toHaveLength(45);
    expect(pairs.filter(isFlagged).length).toBeGreaterThanOrEqual(38);
  });

  it("that stand side by side are left alone, but for 2 of 45 at most", () => {
    const pairs = harmlessPairs();
    told("harmless", pairs);
    expect(pairs).toHaveLength(45);
    expect(pairs.filter(isFlagged).map(({ a, b }) => `${a} | ${b}`).length).toBeLessThanOrEqual(2);
  });

  it("are found as well where they share little more than the word for what they speak of", () => {
    const missed = (pairs: readonly ShortPair[], isWrong: boolean) =>
      pairs.filter(([a, b]) => isFlagged({ a, b }) === isWrong).map((pair) => pair.join(" | "));
    const wrong = { notFound: missed(CONTRADICTING_SHORT, false), flagged: missed(HARMLESS_SHORT, true) };
    expect(wrong).toEqual({ notFound: [], flagged: [] });
  });

  it.each([
    ["negation", "Deploy on Fridays.", "Never deploy on Fridays."],
    ["opposite", "Query caching is enabled.", "Query caching is disabled."],
    ["value", "The orders database is PostgreSQL.", "The orders database is MySQL."],
    ["value", "The orders database is PostgreSQL 15.", "The orders database is MySQL 8."],
    ["value", "The orders database is PostgreSQL 15.", "The orders database is MySQL."],
    ["value", "The orders database is PostgreSQL 15.", "The orders database is PostgreSQL 16."],
    ["value", "Sessions live fifteen minutes.", "Sessions live thirty minutes."],
    ["value", "The pool holds ten connections.", "The pool holds 20 connections."],
    ["value", "決済の応答を十秒待つ.", "決済の応答を三十秒待つ."],
    ["value", "決済の応答を十二時間待つ.", "決済の応答を24時間待つ."],
    ["value", "结账页面等待支付网关十秒钟.", "结账页面等待支付网关三十秒钟."],
    ["value", "結帳頁面等待支付閘道兩小時.", "結帳頁面等待支付閘道三小時."],
  ])("differ by a %s, and the sentences that do are named", (reason, a, b) => {
    const context = "Something else stands here.";
    const [one, other] = [a, b].map((sentence) => sentence.replace(/\.$/, ""));
    expect(contradiction(`${context} ${a}`, `${b} ${context}`)).toEqual({ reason, a: one, b: other });
  });

  it.each([
    ["The read timeout of the proxy is 30 seconds.", "The write timeout of the proxy is 30 seconds."],
    ["The parser supports CSV files.", "The parser supports JSON files."],
    ["The parser supports Java 17.", "The parser supports Kotlin 2."],
    ["Node 24 is on the build server.", "Python 3 is on the build server."],
    ["Step 1 of the release is the changelog.", "Step 2 of the release is the changelog."],
    ["Requests are not allowed from outside.", "Requests are denied from outside."],
    ["Query caching is enabled.", "Query caching is disabled in staging."],
    ["Sessions live fifteen minutes.", "Sessions live 15 minutes."],
    ["決済の応答を三十秒待つ.", "決済の応答を30秒待つ."],
    ["決済の応答を一二〇秒待つ.", "決済の応答を百二十秒待つ."],
    ["支付网关最多重试一百零五次.", "支付网关最多重试105次."],
    ["第三次发布修复了缓存.", "第四次发布修复了缓存."],
    ["Two of the workers write logs.", "Three files hold the settings of the workers."],
  ])("%j and %j are of two things, or say one", (a, b) => {
    expect([contradiction(a, b), contradiction(b, a)]).toEqual([undefined, undefined]);
  });

  it.each([
    "\ud800",
    "(".repeat(8000),
    "a_".repeat(4000),
    "not ".repeat(2000),
    "5 ".repeat(4000),
    "「".repeat(8000),
    "",
  ])("may be anything, however odd", (text) => {
    expect(contradiction(text, text)).toBeUndefined();
    expect(contradiction(`${text} a`, `b ${text}`)).toBeUndefined();
  });
});
