import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const plain = (text: string) => text.replaceAll(/[`*\\_]/g, "").replaceAll(/\s+/g, " ");

const ROWS = textOf("e2e/systems/README.md")
  .split("\n")
  .flatMap((line) => {
    const [, feature, shownBy] = /^\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    return feature === undefined || shownBy === undefined || /^(Feature|-+)$/.test(feature)
      ? []
      : [{ feature, shownBy }];
  });

describe("the table of features", () => {
  it("names for each an existing file, and words in that file", () => {
    const wrong = ROWS.filter(({ shownBy }) => {
      const [, path, words] = /^`([^`]+)`: (.+)$/.exec(shownBy) ?? [];
      if (path === undefined || words === undefined) return !shownBy.startsWith("[not built]");
      return !existsSync(join(ROOT, path)) || !textOf(path).includes(words);
    });
    expect(ROWS.length).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
  });

  it("gives a reason for each that is not built", () => {
    const reasons = plain(textOf("docs/not-built.md"));
    const notBuilt = ROWS.filter(({ shownBy }) => shownBy.startsWith("[not built]"));
    expect(notBuilt.length).toBeGreaterThan(20);
    expect(notBuilt.filter(({ feature }) => !reasons.includes(plain(feature)))).toEqual([]);
  });

  it("cites for each the section that decided it, except a platform that no test runs on", () => {
    const entries = textOf("docs/not-built.md").split(/^- /m).map(plain);
    const uncited = ROWS.filter(({ shownBy }) => shownBy.startsWith("[not built]")).filter(
      ({ feature }) => !entries.some((entry) => entry.includes(plain(feature)) && /§(?:0|10)\b/.test(entry)),
    );
    expect(uncited.map(({ feature }) => feature)).toEqual(["Platform Linux/macOS"]);
  });
});
