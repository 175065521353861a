import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openProgressLine } from "./progress-line.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function told(isTTY: boolean, everyMs: number) {
  const written: string[] = [];
  const line = openProgressLine({ isTTY, write: (text) => written.push(text) });
  for (let done = 100; done <= 400; done += 100) {
    line.tell(done, 1000 - done, 50.4);
    vi.advanceTimersByTime(everyMs);
  }
  line.end();
  line.end();
  return written;
}

it("is one line drawn anew on a terminal, and ended once", () => {
  const drawn = (done: number, seconds: number) =>
    `\r\u001b[Kembedded ${done}, ${1000 - done} to go, 50/s, about ${seconds} s left`;
  expect(told(true, 200)).toEqual([drawn(100, 18), drawn(200, 16), drawn(300, 14), drawn(400, 12), "\n"]);
  expect(told(true, 100)).toEqual([drawn(100, 18), drawn(300, 14), "\n"]);
});

it("is a line now and then elsewhere", () => {
  expect(told(false, 1000)).toEqual([
    "embedded 100, 900 to go, 50/s, about 18 s left\n",
    "embedded 300, 700 to go, 50/s, about 14 s left\n",
  ]);
});

it("promises no end before it knows its pace", () => {
  const write = vi.fn();
  openProgressLine({ write }).tell(0, 7, 0);
  expect(write).toHaveBeenCalledExactlyOnceWith("embedded 0, 7 to go, 0/s\n");
});
