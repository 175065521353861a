import { noteContextEnd } from "@chest/runtime/context-ends";
import type { Act } from "../hook-event.ts";
import { planFiles, readGitState } from "../repository/git-state.ts";
import { deliver, replay } from "../session/deliver.ts";
import { owedTo } from "../session/undelivered.ts";

const SOURCES = ["startup", "resume", "clear", "compact"];
// What others left is told while the agent starts, but not for long.
const LEFT_MS = 1200;

export const sessionStart: Act = async (happening) => {
  const { input, session, memory, dataDir, project, journal } = happening;
  const source = SOURCES.find((known) => known === input.source) ?? "startup";
  if (source === "clear" || source === "compact") {
    noteContextEnd(dataDir, input.cwd);
    journal.note({ context: "over" });
  }
  // While the place is opened; a session that goes on knows how things stand.
  const state = source === "startup" || source === "clear" ? readGitState(input.cwd) : undefined;
  // What it was at before a compaction that nobody could be told of; what still cannot be told waits on.
  const isOwed = owedTo(dataDir, memory.name).some((owed) => owed.session === session);
  if (isOwed) await deliver(happening).catch(() => "failed");
  // What the last session left is taken, so that no other one is told of it as well.
  const place = await memory.open("write", project);
  if (!place) return "no_store";
  const { shown, language = "en" } = journal.read();
  const git = await state;
  const { context, ids, isPending } = await place.ask("session-start", {
    session_id: session,
    source,
    language,
    shown: [...shown],
    plans: planFiles(input.cwd),
    ...(git === undefined ? {} : { git }),
  });
  if (context !== undefined) {
    happening.say(context);
    journal.note({ shown: ids });
  }
  if (isPending) journal.note({ handoff: "pending" });
  await replay(happening, LEFT_MS);
  return context === undefined ? "nothing" : `shown=${ids.length}`;
};
