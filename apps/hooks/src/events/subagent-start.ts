import type { EventHandler } from "../hook-event.ts";

/** Shows a subagent what its parent was shown of the project, because they share no context. */
export const subagentStart: EventHandler = async ({ session, input, memory, project, journal, say }) => {
  if (input.agent === undefined) return "skipped";
  const place = await memory.open("read", project);
  if (!place) return "no_store";
  const { language = "en" } = journal.read();
  // Asks as after `/clear`: for knowledge of the project, without another session's handoff.
  const asked = { session_id: session, source: "clear", language, shown: [] };
  const { context, ids } = await place.ask("session-start", asked);
  if (context === undefined) return "nothing";
  say(context);
  return `shown=${ids.length}`;
};
