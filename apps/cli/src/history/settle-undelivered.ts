import { realpathSync } from "node:fs";
import { settled, type UndeliveredSession } from "@chest/runtime/undelivered-sessions";
import type { TranscriptFile } from "./find.ts";
import type { HistoryReport } from "./import-history.ts";
import type { TranscriptSink } from "./take.ts";

/**
 * Marks sessions that hooks could not deliver as delivered, if they are imported by now or their transcript is gone.
 * @param before undelivered sessions from before the import; later ones are left alone.
 * @returns the number of sessions marked.
 */
export async function settleUndelivered(
  dataDir: string,
  files: readonly TranscriptFile[],
  { errors }: Pick<HistoryReport, "errors">,
  sink: Pick<TranscriptSink, "into" | "keep">,
  before: readonly UndeliveredSession[],
): Promise<number> {
  const refused = new Set(errors.map(({ file }) => file));
  const taken = new Set(files.filter(({ path }) => !refused.has(path)).map(({ path }) => realpathSync(path)));
  let count = 0;
  for (const owed of before) {
    if (owed.place !== sink.into || !isTold(owed, taken)) continue;
    for (const occasion of owed.keep) await sink.keep(owed.session, owed.project, occasion);
    settled(dataDir, owed);
    count += 1;
  }
  return count;
}

function isTold({ transcript }: UndeliveredSession, taken: ReadonlySet<string>): boolean {
  if (transcript === undefined) return true;
  try {
    return taken.has(realpathSync(transcript));
  } catch {
    return true; // The transcript is gone, so the session can never be delivered.
  }
}
