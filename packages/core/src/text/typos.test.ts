import { describe, expect, it } from "vitest";
import { beginningsMeant, isMeantBy } from "./typos.ts";

const isReached = (meant: string, typed: string) =>
  isMeantBy(meant, typed) && beginningsMeant(typed).some((beginning) => meant.startsWith(beginning));

describe("what was meant by a word with one slip", () => {
  it.each([
    ["reconcilation", "reconciliation"],
    ["throtling", "throttling"],
    ["elasticsaerch", "elasticsearch"],
    ["webohok", "webhook"],
    ["kafak", "kafka"],
    ["enviroment", "environment"],
    ["comit", "commit"],
    ["teraform", "terraform"],
    ["midleware", "middleware"],
    ["kubernettes", "kubernetes"],
    ["kuebrnetes", "kubernetes"],
    ["authenticetion", "authentication"],
    ["deploymentt", "deployment"],
    ["erorr", "error"],
    ["миграцыя", "миграция"],
    ["コンパイアラ", "コンパイラ"],
  ])("%s: %s", (typed, meant) => expect(isReached(meant, typed)).toBe(true));

  it.each([
    ["of two slips", "kubrentse", "kubernetes"],
    ["of a first letter", "wafka", "kafka"],
    ["of a short word's letter", "cache", "cacho"],
    ["of a short word's length", "node", "nodes"],
    ["of a code", "err_4417", "err_4471"],
    ["of an identifier", "get_usre", "get_user"],
    ["of ideographs", "数据库连接", "数据库链接"],
    ["of none", "kafka", "kafka"],
  ])("is nothing in the case %s", (_, typed, meant) => expect(isReached(meant, typed)).toBe(false));
});
