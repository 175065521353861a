import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type HookRun, hookLogFile, isFailure, olderHookLogFile, readHookLog } from "@chest/runtime/hook-log";
import { counted } from "../../terminal/parse-numbers.ts";
import type { Check } from "../check.ts";
import type { InspectedClient } from "./target.ts";

const DAY_MS = 86_400_000;

/** Hooks never print errors; they report failures in their log only. */
export const hookLog: Check<InspectedClient> = {
  id: "client.hook_log",
  title: "hooks ran without errors in the last day",
  async run({ dataDir }) {
    const file = hookLogFile(dataDir);
    const older = olderHookLogFile(dataDir);
    const there = [older, file].filter((path) => existsSync(path));
    if (there.length === 0) return { status: "skip", message: "no hook has run yet" };
    const texts = await Promise.all(there.map((path) => readFile(path, "utf8")));
    const runs = texts.flatMap(readHookLog).filter(isOfThisDay);
    const failures = runs.filter(isFailure);
    const last = failures.at(-1);
    if (!last) return { status: "ok", message: `${counted(runs.length, "run")}, none failed` };
    const message = `${failures.length} of ${counted(runs.length, "run")} failed, the last one ${runText(last)}`;
    if (isOver(failures, runs)) return { status: "ok", message: `${message}\nlater runs succeeded` };
    return { status: "warn", message: `${message}\nthe next run of it shows whether it is over` };
  },
};

/** Selects runs of the last day. A run without an event, such as a doctor's test run, does not count. */
const isOfThisDay = ({ at, outcome }: HookRun): boolean => outcome !== "no_event" && Date.now() - at.getTime() < DAY_MS;

/** Tells whether every failed event has succeeded since. */
const isOver = (failures: readonly HookRun[], runs: readonly HookRun[]): boolean =>
  failures.every((failed) =>
    runs.slice(runs.indexOf(failed) + 1).some((run) => run.event === failed.event && !isFailure(run)),
  );

const runText = ({ at, event, outcome, code = "for an unknown reason" }: HookRun): string =>
  `\`${event}\` at ${at.toISOString()}: ${outcome === "failed" ? code : outcome}`;
