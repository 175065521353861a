import { ARCHIVE_REASONS } from "@chest/core/memory";
import type { Restorable, Restored } from "@chest/core/ports";
import { readConfig } from "../../connect/config.ts";
import { withStore } from "../../connect/local-store.ts";
import { ownCommand } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { knownWord, UsageError } from "../../terminal/usage.ts";
import { readPass } from "./up.ts";

const DAY_MS = 86_400_000;

export const unarchive = ownCommand({
  meta: { name: "unarchive", description: "Restore archived memories" },
  args: {
    ids: { type: "positional", description: "Ids, separated by commas", required: false, valueHint: "id,…" },
    run: { type: "string", description: "All that this maintenance run archived", valueHint: "number" },
    pass: { type: "string", description: "Only this pass of that run", valueHint: "name" },
    reason: { type: "string", description: `All archived as ${ARCHIVE_REASONS.join(", ")}`, valueHint: "reason" },
    since: { type: "string", description: "Of those, the ones since then: a date, or `7d`", valueHint: "time" },
    consolidation: {
      type: "string",
      description: "The originals of this summary; the summary is archived",
      valueHint: "id",
    },
  },
  async run(args, { env, output }) {
    const which = readSelection(args, new Date());
    const restored = await withStore(readConfig(env), ({ lifecycle }) => lifecycle.restore(which));
    for (const line of linesOf(restored)) output.say(line);
    output.document(restored);
    return restored.skipped.length > 0 ? 1 : 0;
  },
});

interface Selecting {
  readonly ids?: string | undefined;
  readonly run?: string | undefined;
  readonly pass?: string | undefined;
  readonly reason?: string | undefined;
  readonly since?: string | undefined;
  readonly consolidation?: string | undefined;
}

function readSelection({ ids, run, pass, reason, since, consolidation }: Selecting, now: Date): Restorable {
  const ways = [ids, run, reason, consolidation].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw new UsageError("name what to restore, in one way", "give ids, `--run`, `--reason` or `--consolidation`");
  if (pass !== undefined && run === undefined) throw new UsageError("`--pass` needs a run", "add `--run NUMBER`");
  if (since !== undefined && reason === undefined) throw new UsageError("`--since` needs a reason", "add `--reason`");
  if (run !== undefined)
    return { runId: numberIn(run, "--run"), ...(pass === undefined ? {} : { pass: readPass(pass) }) };
  if (consolidation !== undefined) return { summaryId: numberIn(consolidation, "--consolidation") };
  if (reason !== undefined)
    return { reason: knownWord(reason, ARCHIVE_REASONS, "reason"), since: since ? timeIn(since, now) : undefined };
  return { ids: listOf(ids ?? "").map((id) => numberIn(id, "ID")) };
}

function numberIn(value: string, name: string): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number > 0) return number;
  throw new UsageError(
    `\`${name} ${value.slice(0, 80)}\` is not a whole number above 0`,
    "`chest-index status` names the last run, `chest-index show ID` a summary",
  );
}

function timeIn(value: string, now: Date): Date {
  const [, days] = /^(\d{1,4})d$/.exec(value) ?? [];
  const time = days === undefined ? new Date(value) : new Date(now.getTime() - Number(days) * DAY_MS);
  if (!Number.isNaN(time.getTime())) return time;
  throw new UsageError(`\`--since ${value.slice(0, 80)}\` is not a time`, "give a date such as 2026-11-21, or `7d`");
}

function linesOf({ restored, undone, reset, skipped }: Restored): string[] {
  const few = restored.length > 0 && restored.length <= 20 ? `: ${restored.join(", ")}` : "";
  return [
    `${restored.length} restored${few}`,
    ...(undone.length > 0 ? [`${counted(undone.length, "summary", "summaries")} archived: ${undone.join(", ")}`] : []),
    ...(reset.length > 0 ? [`${reset.length} have their earlier confidence again`] : []),
    ...skipped.map(({ id, reason }) => `${id}: ${reason === "not_found" ? "not found" : "was not archived"}`),
  ];
}
