import { isWorthAsking, languageOf, redact } from "@chest/core";
import type { Act } from "../hook-event.ts";

const MAX_PROMPT = 2000;
const MOST_BLOCKS = 15;

export const userPrompt: Act = async ({ input, session, memory, project, journal, say }) => {
  const prompt = (input.prompt ?? "").replace(/\s+/g, " ").trim();
  if (!isWorthAsking(prompt)) return "skipped";
  const { shown, ownLanguage, blocks } = journal.read();
  const language = languageOf(prompt);
  if (language !== ownLanguage) journal.note({ language });
  if (blocks >= MOST_BLOCKS) return "enough";
  const place = await memory.open("read", project);
  if (!place) return "no_store";
  const said = redact(prompt).slice(0, MAX_PROMPT);
  const { context, ids } = await place.ask("prompt", { session_id: session, prompt: said, shown: [...shown] });
  if (context === undefined) return "nothing";
  say(context);
  journal.note({ shown: ids });
  return `shown=${ids.length}`;
};
