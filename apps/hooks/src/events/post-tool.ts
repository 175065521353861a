import { deedsOf } from "@chest/core/transcript";
import { type Failure, failureOf } from "../command-failure.ts";
import type { EventContext, EventHandler } from "../hook-event.ts";
import { beginningOf, textOf } from "../process/hook-input.ts";
import { deliver, notePending } from "../session/deliver.ts";

const EDITS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);
// Actions after which a long turn is delivered before its end.
const MOST_DEEDS = 10;
const MOST_MS = 300_000;

export const postTool: EventHandler = async (eventContext) => {
  const { input, project, journal, transcript, mayNote, canSay } = eventContext;
  const failure = canSay && input.tool === "Bash" && !input.isInterrupted ? failureOf(input) : undefined;
  if (!failure && !isDeed(eventContext)) return "skipped";
  if (!mayNote) return failure ? tell(eventContext, failure) : "not_noted";
  const { project: before = project } = journal.read();
  if (before !== project) await deliver(eventContext).catch(() => "failed");
  // If the agent is killed from now on, a later event delivers this session.
  if (transcript !== undefined && journal.read().deeds === 0) notePending(eventContext);
  journal.note({ deed: 1, at: Date.now(), ...(project === undefined ? {} : { project }) });
  const outcome = failure ? await tell(eventContext, failure) : "noted";
  const { deeds, since = Date.now() } = journal.read();
  if (deeds < MOST_DEEDS && Date.now() - since < MOST_MS) return outcome;
  return `${outcome} ${await deliver(eventContext)}`;
};

/** Whether the tool call is an edit, or a command worth recording. */
const isDeed = ({ input: { tool = "", toolInput } }: EventContext): boolean =>
  EDITS.has(tool) || (tool === "Bash" && deedsOf(beginningOf(textOf(toolInput.command)) ?? "").length > 0);

async function tell({ session, memory, project, journal, say }: EventContext, failure: Failure): Promise<string> {
  const place = await memory.open("read", project);
  if (!place) return "no_store";
  const { shown, language = "en" } = journal.read();
  const { context, ids } = await place.ask("post-tool", {
    session_id: session,
    ...failure,
    language,
    shown: [...shown],
  });
  if (context === undefined) return "nothing";
  say(context);
  journal.note({ shown: ids });
  return `shown=${ids.length}`;
}
