import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openProgressLine } from "./progress-line.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Renders three updates, a tenth of a second apart. */
function told(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  everyMs: number,
  isPatient = true,
): string[] {
  const written: string[] = [];
  const line = openProgressLine({ ...stream, write: (text) => written.push(text) }, { isPatient });
  for (const count of [1, 2, 3]) {
    line.tell(() => `${count} of a great many that are to come`);
    vi.advanceTimersByTime(everyMs);
  }
  line.end();
  line.end();
  return written;
}

it("redraws one line on a terminal, within its width, and removes it", () => {
  expect(told({ isTTY: true, columns: 12 }, 100)).toEqual([
    "\r\u001b[K2 of a grea",
    "\r\u001b[K3 of a grea",
    "\r\u001b[K",
  ]);
});

it("writes whole lines elsewhere, and only a few", () => {
  expect(told({}, 100)).toEqual([]);
  expect(told({}, 100, false)).toEqual(["1 of a great many that are to come\n"]);
  expect(told({}, 3000)).toEqual([2, 3].map((count) => `${count} of a great many that are to come\n`));
});
