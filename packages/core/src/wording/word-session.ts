import type { Memory } from "../memory/memory.ts";
import { RECAPTURE } from "../memory/past-version.ts";
import type { Llm } from "../ports/models/llm.ts";
import type { SessionTrace } from "../ports/sessions.ts";
import type { Store } from "../ports/store.ts";
import { askModel, type Source } from "./ask-model.ts";

const MOST_EPISODES = 5;
const MOST_SOURCES = 20;
const MAX_CHARS = 2000;

const TASKS: Readonly<Record<string, string>> = {
  session_summary:
    "The first block is a summary of a developer's session that a rule made, the others are what came of the session. Rewrite the summary in at most 120 words: what was asked for, which files were edited, what was learned, what was completed, and what is left to do. Leave out what is not known.",
  episode:
    "This is what a developer did in one go, as a rule wrote it down. Say it in at most 60 words: what was done to which files and how it ended. Keep its first line as it is.",
};

/**
 * Lets a model reword a session's captured summary and newest episodes. Each gets a new version, and the captured text
 * is the version before. Rows that a member changed, or without a usable wording, are unchanged.
 * @returns ids of the reworded rows
 */
export async function wordSession(session: string, store: Store, llm: Llm, signal: AbortSignal): Promise<number[]> {
  const { memories } = await store.sessions.trace(session);
  const made: number[] = [];
  let episodes = 0;
  for (const { memory, rule = "" } of memories) {
    const task = TASKS[rule];
    if (signal.aborted) break;
    if (task === undefined || (rule === "episode" && episodes >= MOST_EPISODES)) continue;
    if (!(await isOfRule(memory, store))) continue;
    if (rule === "episode") episodes += 1;
    const sources = rule === "episode" ? [memory] : [memory, ...othersOf(memories, memory)];
    const wording = await askModel(llm, { task, sources, maxChars: MAX_CHARS, maxTokens: 400 }, signal);
    if (!("text" in wording)) {
      if (wording.failure !== "unusable") break; // The next one would come to the same.
      continue;
    }
    const isDone = await store.write(async (tx) => {
      const now = await tx.memories.byId(memory.id);
      if (now?.version !== memory.version || now.contentHash !== memory.contentHash) return false;
      if (wording.text.contentHash === now.contentHash) return false;
      await tx.memories.reword(now, wording.text, llm.state().model ?? "");
      return true;
    });
    if (isDone) made.push(memory.id);
  }
  return made;
}

const othersOf = (memories: SessionTrace["memories"], { id }: Memory): Source[] =>
  memories
    .flatMap(({ memory }) => (memory.id === id || memory.flags.length > 0 ? [] : [memory]))
    .slice(0, MOST_SOURCES);

/** Whether a rule wrote the present text: never changed, or captured again after a model's wording. */
async function isOfRule({ id, version }: Memory, { memories }: Store): Promise<boolean> {
  if (version === 1) return true;
  const [last] = (await memories.pastVersions({ id, limit: 1, offset: 0 })).versions;
  return last?.op === RECAPTURE;
}
