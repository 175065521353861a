import { describe, expect, it } from "vitest";
import { segment } from "../text/segment.ts";
import { readQuery } from "./query.ts";

const wordsOf = (text: string) => readQuery(text).words;

describe("a query", () => {
  it.each([
    ['"disk full"', ["disk", "full"]],
    ["NEAR(disk, 5)", ["disk", "5"]],
    ["disk* -full :col", ["disk", "full", "col"]],
    ["disk AND NOT full", ["disk", "full"]],
    ["the disk is full", ["disk", "full"]],
    ["db or k8s", ["db", "k8s"]],
    ["C", ["c"]],
    ["50%", ["50%", "50"]],
    ["12", ["12"]],
    ["it's chest_recall_file", ["chest_recall_file", "chest", "recall", "recal", "file"]],
    ["'; DROP TABLE x; --", ["drop", "table", "tabl", "x"]],
  ])("%j searches for %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each(["%", '"*"', "()", "", "  ", "-:*^~", "🎉"])("of %j has no terms", (text) => {
    expect(readQuery(text)).toMatchObject({ words: [], grams: [], wasCut: false });
  });

  it("keeps stop-words when nothing else is left", () => {
    expect(wordsOf("NOT")).toEqual(["not"]);
    expect(wordsOf("to be or not to be")).toEqual(["to", "be", "or", "not"]);
    expect(readQuery("の")).toMatchObject({ words: ["の"], grams: ["の"] });
  });

  it("drops particles and keeps single characters that say something", () => {
    expect(readQuery("猫 の 部署")).toMatchObject({ words: ["猫", "部署"], grams: ["猫", "部署"] });
  });

  it.each([
    ["결제 서비스 담당자가 누구야?", "결제 서비스 담당자"],
    ["배포는 언제예요", "배포"],
    ["배포는 언제인가요", "배포"],
    ["수수료가 얼마야", "수수료"],
    ["회의실이 어디입니까", "회의실"],
    ["API 주소가 뭐야", "api 주소"],
    ["이름이 뭐였지", "이름"],
    ["담당자가 누군지 알려줘", "담당자"],
    ["서버는 어디 있어요?", "서버"],
    ["担当者は誰ですか", "担当 者"],
    ["料金はいくらですか", "料金"],
    ["デプロイはいつでしょう", "デプロイ"],
    ["アドレスは何だっけ", "アドレス"],
    ["费用是多少钱", "费用"],
    ["什么时候发布", "发布"],
    ["服务器在哪里", "服务 器"],
    ["請問費用是多少", "费用"],
  ])("%j asks for what it is about, not for how it asks", (text, about) => {
    const { words, units } = readQuery(text);
    expect(words.filter((word) => !about.split(" ").some((each) => word.startsWith(each)))).toEqual([]);
    for (const each of about.split(" ")) expect(words).toContain(each);
    const asked = units.flatMap(({ alternatives }) => alternatives[0]?.terms.map(({ text: term }) => term) ?? []);
    expect(asked.filter((term) => /[뭐예누]|구야|어디|언제|얼마|多少|什么/.test(term))).toEqual([]);
  });

  it("that only asks is all there is to go by", () => {
    expect(wordsOf("뭐예요?")).toEqual(["뭐예요"]);
    expect(wordsOf("谁")).toEqual(["谁"]);
  });

  it("is cut at 2,000 characters, between characters", () => {
    expect(readQuery(` ${"a".repeat(2000)} `)).toMatchObject({ text: "a".repeat(2000), wasCut: false });
    expect(readQuery("a".repeat(2001))).toMatchObject({ text: "a".repeat(2000), wasCut: true });
    expect(readQuery(`${"a".repeat(1999)}😀`)).toMatchObject({ text: "a".repeat(1999), wasCut: true });
  });

  it("of a long call stack keeps what failed, above the frames or below them", () => {
    const java = Array.from({ length: 60 }, (_, n) => `\tat com.acme.store.Loader.step${n}(Loader.java:${n})`).join(
      "\n",
    );
    const trace = `java.lang.IllegalStateException: export failed\n${java}\nCaused by: com.acme.OutOfRoomException: full\n${java}`;
    expect(readQuery(trace)).toMatchObject({
      text: "java.lang.IllegalStateException: export failed\nCaused by: com.acme.OutOfRoomException: full",
      wasCut: true,
    });
    const python = Array.from({ length: 60 }, (_, n) => `  File "/srv/job${n}.py", line ${n}, in run\n    call(${n})`);
    expect(readQuery(["Traceback:", ...python, "KeyError: 'shard_key'"].join("\n"))).toMatchObject({
      text: "Traceback:\nKeyError: 'shard_key'",
      wasCut: true,
    });
  });

  it("of other long texts of several lines keeps the first and the last", () => {
    const long = `first\n${"middle ".repeat(400)}\nlast`;
    const { text, words } = readQuery(long);
    expect(text).toHaveLength(2000);
    expect(words).toEqual(expect.arrayContaining(["first", "last"]));
  });

  it("has at most 400 terms, words and grams both", () => {
    const { words, grams } = readQuery(
      Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + n * 7)).join(""),
    );
    expect(words.length + grams.length).toBe(400);
    expect(grams.length).toBeGreaterThanOrEqual(200);
    expect(words.length).toBeGreaterThan(0);
  });
});

it("reads every string, and every term is one the index would hold", () => {
  const random = pseudoRandom(7);
  for (let round = 0; round < 2000; round += 1) {
    const text = Array.from({ length: random(40) }, () => anyCharacter(random)).join("");
    const query = readQuery(text);
    const held = segment(query.text);
    expect(query.text.isWellFormed()).toBe(true);
    expect(new Set(held.words.split(" ")).isSupersetOf(new Set(query.words))).toBe(true);
    expect(new Set(held.grams.split(" ")).isSupersetOf(new Set(query.grams))).toBe(true);
  }
});

it.each(["a", "word ", "\uD800", '"', "a:", "か", "e\u0301", "\0"])("reads 100,000 times %j", (piece) => {
  const { words, grams } = readQuery(piece.repeat(100_000));
  expect(words.length + grams.length).toBeLessThanOrEqual(400);
});

function pseudoRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function anyCharacter(random: (below: number) => number): string {
  const pool = [
    "a",
    "B",
    "7",
    " ",
    '"',
    "'",
    "*",
    "-",
    ":",
    "(",
    ")",
    "^",
    "NEAR(",
    " OR ",
    "か",
    "漢",
    "한",
    "é",
    "\uD83D",
    "\0",
  ];
  return random(3) === 0 ? String.fromCharCode(random(0x10000)) : (pool[random(pool.length)] ?? "");
}
