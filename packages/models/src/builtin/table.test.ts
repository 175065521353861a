import { describe, expect, it } from "vitest";
import { bytesOfTable, tableOf } from "./table.ts";
import { indexTerms, type Match, TermIndex } from "./term-index.ts";

const TERMS = ["deploy", "배포", "部署", "部署失败", "デプロイ"];
const VECTORS = Float32Array.from([1, 0, 0.5, 0, 0.25, -1, 0, 0, 2, 0]);
const bytes = () => bytesOfTable(TERMS, VECTORS, 2);

describe("a table of terms", () => {
  it("gives back each term's numbers, to a 127th of the largest", () => {
    const { index, scales, numbers, dimensions } = tableOf(bytes());
    expect(dimensions).toBe(2);
    for (const [at, term] of TERMS.entries()) {
      const row = index.rowOf(term);
      expect(row).toBe(at);
      for (const of of [0, 1]) {
        const number = (numbers[2 * row + of] ?? 0) * (scales[row] ?? 0);
        expect(number).toBeCloseTo(VECTORS[2 * at + of] ?? 0, 2);
      }
    }
  });

  it("knows no term that it was not made of", () => {
    const { index } = tableOf(bytes());
    for (const term of ["", "deplo", "deploys", "배", "部", "署失败"]) expect(index.rowOf(term)).toBe(-1);
  });

  it("is read from a buffer that begins anywhere", () => {
    const shifted = Buffer.concat([Buffer.alloc(1), bytes()]).subarray(1);
    expect(tableOf(shifted).index.rowOf("部署")).toBe(2);
  });

  it.each([
    ["empty", () => Buffer.alloc(0), "the file is not an embedding table"],
    ["another file", () => Buffer.from("SQLite format 3\0".repeat(9)), "the file is not an embedding table"],
    ["of a later version", () => changed(8, 2), "the embedding table has version 2 and not 1"],
    ["cut off in its header", () => bytes().subarray(0, 20), "the file is not an embedding table"],
    ["cut off", () => bytes().subarray(0, -1), "the embedding table is cut off"],
    ["longer than it says", () => Buffer.concat([bytes(), Buffer.alloc(1)]), "the embedding table is cut off"],
    ["without dimensions", () => changed(12, 0), "the embedding table is cut off"],
    ["changed in one byte", () => changed(bytes().length - 1, 77), "the embedding table is damaged"],
  ])("is refused where it is %s", (_, file, message) => {
    expect(() => tableOf(file())).toThrow(message);
  });
});

function changed(at: number, byte: number): Buffer {
  const file = bytes();
  file[at] = byte;
  return file;
}

describe("an index of terms", () => {
  const { fingerprints, rows } = indexTerms(TERMS, 16, new Uint16Array(16));
  const index = new TermIndex(fingerprints, rows);
  const longest = (text: string, from: number) => {
    const match: Match = { row: -1, length: 0 };
    index.longestAt(text, from, match);
    return match;
  };

  it("finds the longest term that begins at a place", () => {
    expect(longest("今天部署失败了", 2)).toEqual({ row: 3, length: 4 });
    expect(longest("今天部署成功", 2)).toEqual({ row: 2, length: 2 });
    expect(longest("今天部署", 2)).toEqual({ row: 2, length: 2 });
  });

  it("moves on by one where none begins", () => {
    expect(longest("今天部署", 0)).toEqual({ row: -1, length: 1 });
  });

  it("refuses a term that is there twice", () => {
    expect(() => indexTerms(["a", "b", "a"], 8, new Uint16Array(8))).toThrow("`a` cannot be told from another term");
  });
});
