import { ChestError } from "@chest/contracts";
import { noticeBlock } from "@chest/core/access";
import { noteContextEnd } from "@chest/runtime/context-ends";
import { maintenanceLine, takeMaintenanceNote } from "@chest/runtime/maintenance-note";
import type { EventHandler, Memory } from "../hook-event.ts";
import { planFiles, readGitState } from "../repository/git-state.ts";
import { deliver, replay } from "../session/deliver.ts";
import { pendingFor } from "../session/pending-sessions.ts";

const SOURCES = ["startup", "resume", "clear", "compact"];
// Time reserved for the handoff while the agent starts.
const LEFT_MS = 1200;

export const sessionStart: EventHandler = async (eventContext) => {
  const { input, session, memory, dataDir, project, folder, journal } = eventContext;
  const source = SOURCES.find((known) => known === input.source) ?? "startup";
  if (source === "clear" || source === "compact") {
    noteContextEnd(dataDir, input.cwd);
    journal.note({ context: "over" });
  }
  if (!eventContext.isShownAt(source)) {
    await replay(eventContext, LEFT_MS);
    return "skipped";
  }
  // Read while the backend is opened; a resumed session knows its state.
  const state = source === "startup" || source === "clear" ? readGitState(folder) : undefined;
  // Retries the snapshot that a compaction could not deliver; if that fails, it stays queued.
  const isDeliveryPending = pendingFor(dataDir, memory.name).some((pending) => pending.session === session);
  if (isDeliveryPending) await deliver(eventContext).catch(() => "failed");
  // Claims the last session's handoff, so that no other session shows it too.
  const place = await memory.open("write", project);
  if (!place) return "no_store";
  const { shown, language = "en" } = journal.read();
  const git = await state;
  const asked = {
    session_id: session,
    source,
    language,
    shown: [...shown],
    plans: planFiles(folder),
    ...(git === undefined ? {} : { git }),
  };
  const { context, ids, isPending } = await place.ask("session-start", asked).catch((error: unknown) => {
    const refusal = error instanceof ChestError ? REFUSALS.get(error.code) : undefined;
    if (refusal) eventContext.say(noticeBlock([refusal]) ?? refusal);
    throw error;
  });
  const told = [context, noticeBlock(noticesOf(memory))].filter((text) => text !== undefined);
  // Not recorded as shown, because the line may be shown again when it is needed.
  if (told.length > 0) eventContext.say(told.join("\n"));
  if (isPending) journal.note({ handoff: "pending" });
  await replay(eventContext, LEFT_MS);
  return context === undefined ? "nothing" : `shown=${ids.length}`;
};

/** Notices about the memory itself, each shown to one session. */
function noticesOf({ isRemote, name }: Memory): readonly string[] {
  const note = isRemote ? undefined : takeMaintenanceNote(name);
  return note ? [maintenanceLine(note)] : [];
}

const DOCTOR = "`chest-index doctor client` tells how to mend it.";

/** Messages for a session that is refused its memory, by error code. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  [
    "UNAUTHORIZED",
    `The backend refuses the token of this machine: it has ended, or was revoked. Nothing is recalled, and what is saved waits in the outbox. ${DOCTOR}`,
  ],
  ["FORBIDDEN", `The token of this machine may not read here: nothing is recalled. ${DOCTOR}`],
]);
