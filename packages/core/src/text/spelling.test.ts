import { describe, expect, it } from "vitest";
import { readQuery } from "../recall/query.ts";
import { foldHan } from "./fold-han.ts";
import { HAN_FORMS, SIMPLIFIED_FORMS } from "./han-forms.ts";
import { segment } from "./segment.ts";

/** Whether a question in one word reaches a text that has the other. */
function meets(request: string, stored: string): boolean {
  const held = new Set(Object.values(segment(stored)).flatMap((tokens) => tokens.split(" ")));
  return readQuery(request).units.some(({ alternatives }) =>
    alternatives.some(({ terms }) => terms.every(({ text }) => held.has(text))),
  );
}

describe("a word is found by its other spelling", () => {
  it.each([
    ["behavior", "the behaviour of the queue"],
    ["artefacts", "an artifact of the build"],
    ["organizes", "who organised the shelf"],
    ["analyze", "analysing dumps"],
    ["centres", "a data center"],
    ["catalog", "catalogues of parts"],
    ["licence", "the license server"],
    ["write", "who wrote the hook"],
    ["mice", "a mouse in the rack"],
    ["indices", "rebuild the index"],
    ["built", "how to build it"],
    ["resolution", "it resolves names"],
    ["PAY4417", "PAY-4417: the card is refused"],
    ["pay_4417", "PAY-4417: the card is refused"],
    ["TS-2345", "TS2345 in the reducer"],
    ["TS 2345", "TS2345 in the reducer"],
    ["utf8", "files are UTF-8"],
    ["sha256", "the SHA-256 of the image"],
    ["9fceb02", "9fceb02a1b3c4d5e6f7081920a1b2c3d4e5f6071 broke it"],
    ["10000", "the limit is 10,000 rows"],
    ["1,250,000", "1250000 rows"],
    ["25 MB", "a body of 25MB"],
    ["websocket", "class WebSocketReconnector"],
    ["mysql", "MySQLPool is shared"],
    ["strasse", "Straße"],
    ["lodz", "Łódź"],
    ["отчет", "отчёт"],
    ["backup", "back\u200Bup"],
    ["權限", "权限由管理员分配"],
    ["资料库", "資料庫"],
    ["検索", "检索"],
    ["高橋", "髙橋さん"],
  ])("%s meets %j", (request, stored) => {
    expect(meets(request, stored)).toBe(true);
  });

  it.each([
    ["12", "12,000 rows"],
    ["raise", "a rise in load"],
    ["4417", "TS2345"],
    ["use", "getUserById"],
  ])("%s is not in %j", (request, stored) => expect(meets(request, stored)).toBe(false));
});

it("folds each Han character into one that stays as it is", () => {
  const [from, to] = [HAN_FORMS.replaceAll(/\s/g, ""), SIMPLIFIED_FORMS.replaceAll(/\s/g, "")];
  expect(from).toHaveLength(to.length);
  expect(new Set(from).size).toBe(from.length);
  expect(foldHan(from)).toBe(to);
  expect(foldHan(to)).toBe(to);
  expect(foldHan("abc 漢 x")).toBe("abc 汉 x");
});
