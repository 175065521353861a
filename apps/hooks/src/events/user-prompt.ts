import { asPrompt, isWorthAsking, languageOf } from "@chest/core/hooks";
import type { EventHandler } from "../hook-event.ts";
import { readHead } from "../repository/git-state.ts";

const MOST_BLOCKS = 15;
const MOST_FILES = 20;

export const userPrompt: EventHandler = async (eventContext) => {
  const { input, session, memory, project, folder, journal, canSay, say } = eventContext;
  const prompt = asPrompt(input.prompt ?? "");
  const { shown, files, ownLanguage, blocks, isPending, isAsked } = journal.read();
  if (prompt === "" || (!isPending && !isWorthAsking(prompt))) return "skipped";
  const language = languageOf(prompt);
  if (language !== ownLanguage) journal.note({ language });
  if (!canSay) return "noted";
  if (blocks >= MOST_BLOCKS) return "enough";
  // Opened for writing, because a handoff is claimed.
  const place = await memory.open(isPending ? "write" : "read", project);
  if (!place) return "no_store";
  const git = isPending ? readHead(folder) : undefined;
  const first = isPending ? { is_first: true, ...(git === undefined ? {} : { git }) } : {};
  const asked = {
    session_id: session,
    prompt,
    shown: [...shown],
    files: [...files].slice(-MOST_FILES),
    ...first,
    ...(isAsked ? { is_asked: true } : {}),
  };
  const { context, ids, isAsked: asksNow } = await place.ask("prompt", asked);
  // A greeting does not decide whether the session continues another one.
  if (isPending && (context !== undefined || isWorthAsking(prompt))) journal.note({ handoff: "decided" });
  if (context === undefined) return "nothing";
  say(context);
  if (asksNow) journal.note({ unsaved: "asked" });
  journal.note({ shown: ids });
  return `shown=${ids.length}`;
};
