import { expect, it } from "vitest";
import { type HookRun, hookLogLine, readHookLog } from "./hook-log.ts";

const run: HookRun = { at: new Date("2026-03-01T09:30:00Z"), event: "stop", session: "7f3a", ms: 41, outcome: "sent" };

it("reads what it wrote", () => {
  const failed = { ...run, outcome: "failed", code: "UNAVAILABLE" };
  const text = [run, failed].map(hookLogLine).join("");
  expect(text.split("\n")[1]).toBe("2026-03-01T09:30:00.000Z stop 7f3a 41ms failed UNAVAILABLE");
  expect(readHookLog(text)).toEqual([{ ...run, code: undefined }, failed]);
});

it("keeps one run to one line, whatever a session calls itself", () => {
  const forged = { ...run, session: "a\n2026-03-01T09:30:00.000Z stop b 1ms failed FORGED", ms: 0.4 };
  expect(hookLogLine(forged).trimEnd().split("\n")).toHaveLength(1);
  expect(readHookLog(hookLogLine(forged))).toMatchObject([{ outcome: "sent", ms: 0 }]);
  expect(readHookLog(hookLogLine({ ...run, session: "" }))).toMatchObject([{ session: "-" }]);
});

it("passes over what is no line of it, or half of one", () => {
  const line = hookLogLine(run);
  expect(readHookLog(`${line.slice(10)}hello\n\n${line}${line.slice(0, -8)}`)).toHaveLength(1);
});
