import type { KeepOld } from "@chest/core/transcript";
import { counted } from "../terminal/parse-numbers.ts";
import { countsText, totalOf } from "./counts.ts";
import type { HistoryReport } from "./import-history.ts";

/** Reasons why lines of a transcript became no memory, in words for the terminal. */
const REASONS: Readonly<Record<string, string>> = {
  empty: "empty",
  wrapper: "the host's own words",
  continuation: "summaries of earlier context",
  slash_command: "commands",
  acknowledgement: "acknowledgements",
  pasted_output: "pasted output",
  too_short: "too short",
  aside: "asides",
  question: "questions",
  reported: "reported speech",
  length: "too long or too short a sentence",
  code: "code",
  few_words: "too few words",
  reassurance: "reassurances",
  bound: "of the moment",
  no_intent: "edits without a request",
  limit: "more of their kind than a session keeps",
  repeated: "said before",
};

const OUTCOMES: Readonly<Record<string, string>> = {
  unchanged: "were there",
  kept: "edited or archived since, left unchanged",
  same_words: "said the same",
  purged: "purged before",
  forgotten: "say what was forgotten",
  expired: "older than the lifetime of their layer",
};

export interface About {
  readonly into: string;
  readonly isDry: boolean;
  readonly keepOld?: KeepOld | undefined;
}

/** Renders the outcome of an import of transcripts. */
export function linesOf(
  { sessions, projects, notes, total, errors }: HistoryReport,
  { into, isDry, keepOld }: About,
): string[] {
  const { memories, edits, found, dropped, lines, skippedLines } = total;
  const { inserted = 0, updated = 0, archived = 0, kept_old: old = 0, ...others } = memories;
  const notNew = countsText(others, (outcome) => OUTCOMES[outcome] ?? outcome);
  return [
    `${isDry ? "would import" : "imported"} ${counted(sessions.parsed, "session")} of ${counted(projects.length, "project")} into ${into}`,
    `lines: ${lines} new${skippedLines > 0 ? `, ${skippedLines} of them skipped` : ""}${sessions.skipped > 0 ? `; ${counted(sessions.skipped, "file")} held no session` : ""}${sessions.excluded > 0 ? `; ${counted(sessions.excluded, "session")} of what is kept out of Chest` : ""}`,
    `memories: ${inserted} ${isDry ? "to come in" : "came in"}, ${updated} ${isDry ? "to be updated" : "updated"}; file edits: ${edits}`,
    ...(old > 0
      ? [
          `of these older than the lifetime of their layer: ${old}, ${keepOld === "fresh" ? "with a lifetime from now" : "archived"}`,
        ]
      : []),
    ...(notes > 0
      ? [`notes kept by hand: ${notes}${archived > 0 ? `; ${archived} archived, their files are gone` : ""}`]
      : []),
    ...(totalOf(found) > 0 ? [`kept ${counted(totalOf(found), "candidate")}: ${countsText(found)}`] : []),
    ...(notNew ? [`of these not new: ${notNew}`] : []),
    ...(totalOf(dropped) > 0
      ? [
          `left out ${counted(totalOf(dropped), "candidate")}: ${countsText(dropped, (reason) => REASONS[reason] ?? reason)}`,
        ]
      : []),
    ...errors.map(({ file, message }) => `not taken: ${file}: ${message}`),
  ];
}

export function documentOf({ sessions, projects, notes, total, errors }: HistoryReport, { isDry }: About) {
  const { inserted = 0, updated = 0, unchanged = 0, archived = 0, ...others } = total.memories;
  return {
    dry_run: isDry,
    projects,
    sessions,
    lines: { read: total.lines, skipped: total.skippedLines },
    memories: { inserted, updated, unchanged, archived, ...others },
    memory_files: notes,
    edits: total.edits,
    candidates: { kept: total.found, left_out: total.dropped },
    errors,
  };
}
