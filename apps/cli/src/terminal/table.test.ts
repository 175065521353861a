import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { tableLines } from "./table.ts";

const ROWS = [
  ["1", "alice", "read,write", "2026-11-21T10:00:00.000Z"],
  ["12", "bob", "read", "never"],
];

describe("a table", () => {
  it("has its columns below each other", () => {
    expect(tableLines(ROWS, 80)).toEqual([
      "1   alice  read,write  2026-11-21T10:00:00.000Z",
      "12  bob    read        never",
    ]);
  });

  it.each([30, 40, 60, 100, 200])("is never wider than %i columns, and nothing of it is lost", (columns) => {
    const rows = [
      ["17", "acme-api", "青いクラスタへのデプロイは秋の障害以来ずっと手動で行われている。".repeat(2), "x".repeat(90)],
      ["4", "a name of several words that goes on and on", "short", ""],
    ];
    const lines = tableLines(rows, columns);
    for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
    const letters = (text: string) => [...text.replaceAll(/\s/g, "")].sort().join("");
    expect(letters(lines.join(""))).toBe(letters(rows.flat().join("")));
  });

  it("of nothing is nothing", () => {
    expect(tableLines([], 80)).toEqual([]);
  });
});
