import type { EventHandler } from "../hook-event.ts";

/** Shows a subagent what its parent was shown of the project: the two have no context in common. */
export const subagentStart: EventHandler = async ({ session, input, memory, project, journal, say }) => {
  if (input.agent === undefined) return "skipped";
  const place = await memory.open("read", project);
  if (!place) return "no_store";
  const { language = "en" } = journal.read();
  // As after a clear: what is known, and nothing of what another session left.
  const asked = { session_id: session, source: "clear", language, shown: [] };
  const { context, ids } = await place.ask("session-start", asked);
  if (context === undefined) return "nothing";
  say(context);
  return `shown=${ids.length}`;
};
