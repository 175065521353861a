import { expect, it } from "vitest";
import { type HookRun, hookLogLine, isFailure, readHookLog } from "./hook-log.ts";

const run: HookRun = { at: new Date("2026-03-01T09:30:00Z"), event: "stop", session: "7f3a", ms: 41, outcome: "sent" };
const failed = { ...run, outcome: "failed", code: "UNAVAILABLE" };

it("reads what it wrote", () => {
  const nobody = { ...run, session: undefined, outcome: "noted sent others=2" };
  const text = [run, failed, nobody].map(hookLogLine).join("");
  expect(text.split("\n")[1]).toBe("2026-03-01T09:30:00.000Z stop session=7f3a ms=41 outcome=failed code=UNAVAILABLE");
  expect(readHookLog(text)).toEqual([{ ...run, code: undefined }, failed, { ...nobody, code: undefined }]);
});

it("keeps one run to one line, whatever a session calls itself", () => {
  const forged = { ...run, session: "a\n2026-03-01T09:30:00.000Z stop ms=1 outcome=failed", ms: 0.4 };
  expect(hookLogLine(forged).trimEnd().split("\n")).toHaveLength(1);
  expect(readHookLog(hookLogLine(forged))).toMatchObject([{ outcome: "sent", ms: 0 }]);
  expect(readHookLog(hookLogLine({ ...run, session: "" }))).toMatchObject([{ session: "-" }]);
});

it("passes over what is no line of it, or half of one", () => {
  const line = hookLogLine(run);
  expect(readHookLog(`${line.slice(10)}hello\n\n${line}${line.slice(0, -14)}`)).toHaveLength(1);
});

it("tells what went wrong from what did not", () => {
  const outcomes = ["failed", "late", "refused NOT_FOUND", "noted late", "sent", "no_event", "told 3"];
  expect(outcomes.map((outcome) => isFailure({ ...run, outcome }))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
