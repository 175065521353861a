import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookBackend } from "../backend/memory-backend.ts";
import { type Journal, openJournal } from "./session-journal.ts";
import { syncSession } from "./sync-transcript.ts";

let dir: string;
let file: string;
let journal: Journal;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-sync-"));
  file = join(dir, "a.jsonl");
  journal = openJournal(dir, "a");
});
afterEach(() => rmSync(dir, { recursive: true }));

type Take = HookBackend["take"];

/** A place that keeps what it is sent. */
function keeping(take: Take = async (_, lines, fromLine) => fromLine + lines.length) {
  const sent: { readonly fromLine: number; readonly lines: readonly string[] }[] = [];
  const place: HookBackend = {
    ask: async () => ({ context: undefined, ids: [] }),
    take: (session, lines, fromLine) => {
      sent.push({ fromLine, lines });
      return take(session, lines, fromLine);
    },
    keep: async () => {},
    close: async () => {},
  };
  return { place, sent };
}

const budgetOf = (ms: number) => {
  const endsAt = performance.now() + ms;
  return { signal: new AbortController().signal, leftMs: () => endsAt - performance.now() };
};
const sync = (place: HookBackend, ms = 10_000) => syncSession("a", file, { place, journal, budget: budgetOf(ms) });
const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `${from + at}\n`).join("");

describe("a session's transcript", () => {
  it("travels once, a part at a time", async () => {
    const { place, sent } = keeping();
    writeFileSync(file, numbered(0, 1200));
    expect(await sync(place)).toBe(true);
    expect(sent.map(({ fromLine, lines }) => [fromLine, lines.length])).toEqual([
      [0, 500],
      [500, 500],
      [1000, 200],
    ]);

    appendFileSync(file, numbered(1200, 1203));
    await sync(place);
    await sync(place);
    expect(sent.slice(3)).toEqual([{ fromLine: 1200, lines: ["1200", "1201", "1202"] }]);
  });

  it("goes on where it was taken to, when it failed in between", async () => {
    let isFailing = true;
    const { place, sent } = keeping(async (_, lines, fromLine) => {
      if (isFailing && fromLine > 0) throw new ChestError("UNAVAILABLE", "not now");
      return fromLine + lines.length;
    });
    writeFileSync(file, numbered(0, 700));
    await expect(sync(place)).rejects.toThrow("not now");
    isFailing = false;
    expect(await sync(place)).toBe(true);
    expect(sent.map(({ fromLine }) => fromLine)).toEqual([0, 500, 500]);
  });

  it("is sent anew, once, where what was sent before is not known", async () => {
    journal.note({ taken: { line: 2, offset: 4 } });
    writeFileSync(file, numbered(0, 5));
    const { place, sent } = keeping(async (_, lines, fromLine) => {
      if (fromLine > 0) throw new ChestError("VERSION_CONFLICT", "lines are missing");
      return lines.length;
    });
    expect(await sync(place)).toBe(true);
    expect(sent.map(({ fromLine, lines }) => [fromLine, lines.length])).toEqual([
      [2, 3],
      [0, 5],
    ]);

    const never = keeping(async () => Promise.reject(new ChestError("VERSION_CONFLICT", "lines are missing")));
    appendFileSync(file, numbered(5, 6));
    await expect(sync(never.place)).rejects.toThrow("lines are missing");
    expect(never.sent).toHaveLength(2);
  });

  it("waits with lines that say nothing yet for those that do", async () => {
    const { place, sent } = keeping(async (_, lines, fromLine) =>
      lines.some((line) => Number(line) >= 600) ? fromLine + lines.length : fromLine,
    );
    writeFileSync(file, numbered(0, 550));
    expect(await sync(place)).toBe(true);
    appendFileSync(file, numbered(550, 700));
    expect(await sync(place)).toBe(true);
    expect(sent.at(-1)).toMatchObject({ fromLine: 0, lines: { length: 700 } });
    expect(journal.read().cursor.line).toBe(700);
  });

  it("is not all there when the time is over", async () => {
    const { place } = keeping(async (_, lines, fromLine) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return fromLine + lines.length;
    });
    writeFileSync(file, numbered(0, 2000));
    expect(await sync(place, 50)).toBe(false);
    expect(journal.read().cursor.line).toBe(500);
    expect(await sync(place)).toBe(true);
  });
});
