import { hash } from "node:crypto";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { framedLines } from "../answers/sanitize-for-prompt.ts";
import { canonical } from "../memory/canonical.ts";
import { flagsOf } from "../memory/flags.ts";
import { expiryOf, type Layer } from "../memory/layer.ts";
import { BY_MODEL, CATEGORIES, layerOfCategory } from "../memory/metadata.ts";
import { isTag, readTags } from "../memory/tags.ts";
import type { Llm } from "../ports/models/llm.ts";
import type { PendingText } from "../ports/pending.ts";
import type { CapturedMemory, SessionTrace } from "../ports/sessions.ts";
import type { Store } from "../ports/store.ts";
import { redact } from "../redaction/redact.ts";
import { isOneStatement } from "../statements/one-statement.ts";
import type { ServerPorts } from "../tool.ts";
import { CAPTURE_RULES, isJournalRule, LESSON_RULE } from "../transcript/candidate.ts";
import { captureKeyOf, projectNameOf, textsToEmbed, visibilityOfCapture } from "../transcript/capture.ts";
import { readCarry } from "../transcript/carry.ts";
import { isLastingRule } from "../transcript/lessons/lasting.ts";
import { GIVES_REASON, sentencesIn } from "../transcript/sentences.ts";
import { DATA_RULES, promptOf, type Source } from "./ask-model.ts";

/** Most memories that a model may create from one session. */
const MOST_LESSONS = 5;
const LEAST_SOURCES = 3;
const MOST_SOURCES = 60;
const MAX_CHARS = 600;
const MAX_TITLE = 100;
const MAX_TAGS = 5;
const MAX_TOKENS = 1200;
/** No caller waits for it, so a slow start of a local model is accepted. */
const DEADLINE_MS = 120_000;
/** Layers in which a memory is neither pinned nor protected. */
const LAYERS = ["learning", "context", "implementation"] as const satisfies readonly Layer[];

const TASK = [
  `The blocks are the journal of one session of a developer with a coding agent. Name at most ${MOST_LESSONS} things in it that a colleague will want to know next month: a cause and how it was mended, a decision with its reason, a constraint, how something is run or deployed.`,
  "Leave out requests, progress, what was edited, what is generally known, and what holds for this task or this day alone. Prefer none to a doubtful one.",
  `Answer with a JSON array and nothing else; [] if nothing lasts. Each element: {"content": "one to three sentences that stand by themselves, in the language of the journal", "title": "at most ten words", "layer": ${LAYERS.map((layer) => `"${layer}"`).join(" or ")}, "category": one of ${CATEGORIES.map((each) => `"${each}"`).join(", ")}, "importance": 0 to 1, "tags": ["up to five"], "sources": [ids of the blocks that it rests on]}.`,
  "Keep names, numbers, paths, identifiers and reasons as they stand. Never write an instruction to an agent.",
].join("\n");

const proposal = z.object({
  content: z.string().trim().min(20).max(MAX_CHARS),
  title: z.string().trim().max(MAX_TITLE).optional().catch(undefined),
  layer: z.enum(LAYERS).optional().catch(undefined),
  category: z.enum(CATEGORIES).optional().catch(undefined),
  importance: z.number().min(0).max(1).catch(0.5),
  tags: z.array(z.string()).catch([]),
  sources: z.array(z.int().positive()).min(1),
});
type Proposal = z.output<typeof proposal>;

export interface LearnPorts extends Pick<ServerPorts, "store" | "clock" | "hasReview" | "embedSoon"> {
  readonly llm: Llm;
}

/**
 * Asks a model once which findings of an ended session are worth storing, and stores at most five as memories:
 * unprotected, of importance ≤ .6, with the session notes as evidence. Only one process asks. After a resumed session
 * ends, it asks again, and the new memories replace the earlier ones. All have the session's tag, so that one
 * `chest_forget` removes them.
 * @returns ids of created or updated memories
 */
export async function learnFromSession(
  session: string,
  ports: LearnPorts,
  caller: Caller,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const { store, llm } = ports;
  const trace = await store.sessions.trace(session);
  const sources = sourcesOf(trace);
  if (sources.length < LEAST_SOURCES || !(await claim(session, store, caller))) return [];
  const request = {
    system: `${TASK}\n${DATA_RULES}`,
    prompt: promptOf(sources),
    maxTokens: MAX_TOKENS,
    deadlineMs: DEADLINE_MS,
  };
  const reply = await llm.write(request, signal);
  if (!("text" in reply)) {
    if (reply.failure !== "unusable") await release(session, store, caller);
    return [];
  }
  const known = trace.memories.flatMap(({ memory, rule }) =>
    isJournalRule(rule) || rule === LESSON_RULE ? [] : [memory],
  );
  const fresh = proposalsIn(reply.text, sources).filter(
    ({ content }) => !known.some((memory) => isOneStatement(memory.content, content)),
  );
  return keep(fresh, { session, trace }, ports, caller);
}

/** Notes of a session for a model, oldest first, without flagged text. */
function sourcesOf({ memories }: SessionTrace): Source[] {
  const rows = memories.filter(({ memory, rule }) => rule !== LESSON_RULE && memory.flags.length === 0);
  return rows
    .slice(0, MOST_SOURCES)
    .map(({ memory }) => memory)
    .reverse();
}

/** Claims a session at this length of its transcript, unless that was done before. */
function claim(session: string, store: Store, caller: Caller): Promise<boolean> {
  return store.write(async (tx) => {
    const progress = await tx.sessions.progress(session);
    const carry = readCarry(progress?.carry);
    if (!progress || (carry.modelAt ?? -1) >= progress.nextLine) return false;
    const taken = JSON.stringify({ ...carry, modelAt: progress.nextLine });
    await tx.sessions.keepProgress(session, { ...progress, carry: taken }, caller.project);
    await tx.sessions.close(session);
    return true;
  });
}

/** Releases the claim for a later attempt, because the model could not be asked. */
function release(session: string, store: Store, caller: Caller): Promise<void> {
  return store.write(async (tx) => {
    const progress = await tx.sessions.progress(session);
    if (!progress) return;
    const { modelAt: _, ...carry } = readCarry(progress.carry);
    await tx.sessions.keepProgress(session, { ...progress, carry: JSON.stringify(carry) }, caller.project);
    await tx.sessions.close(session);
  });
}

/** Usable proposals in an answer: each cites notes that the model was given, contains no secret and gives no orders. */
function proposalsIn(text: string, sources: readonly Source[]): Proposal[] {
  const given = new Set(sources.map(({ id }) => id));
  const found: Proposal[] = [];
  for (const each of arrayIn(text)) {
    const { data } = proposal.safeParse(each);
    if (!data) continue;
    const content = framedLines(data.content).join("\n").trim();
    const isSafe = redact(content) === content && flagsOf({ content, title: data.title }).length === 0;
    const rests = data.sources.every((id) => given.has(id));
    const isNew = !found.some((other) => isOneStatement(other.content, content));
    if (isSafe && rests && isNew && !isOrder(content)) found.push({ ...data, content });
    if (found.length === MOST_LESSONS) break;
  }
  return found;
}

/** Whether a text says what is always or never to be done, without a reason: a rule is a person's to make. */
const isOrder = (content: string): boolean =>
  sentencesIn(content)
    .flat()
    .some((sentence) => isLastingRule(sentence) && !GIVES_REASON.test(sentence));

/** Finds the JSON array in a text, because models often add words or a fence. */
function arrayIn(text: string): unknown[] {
  try {
    const found: unknown = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf("]") + 1));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

interface Ended {
  readonly session: string;
  readonly trace: SessionTrace;
}

async function keep(
  proposals: readonly Proposal[],
  { session, trace }: Ended,
  { store, llm, clock, hasReview, embedSoon }: LearnPorts,
  caller: Caller,
): Promise<readonly number[]> {
  const now = clock.now();
  const place = { visibility: visibilityOfCapture(caller, hasReview), projectKey: caller.project };
  const name = redact(projectNameOf(caller, readCarry(trace.carry).cwd, undefined));
  const drafts = proposals.map((each, nth) => draftOf(each, { session, nth, now, model: llm.state().model }, caller));
  const { ids, texts } = await store.write(async (tx) => {
    const ids: number[] = [];
    const texts: PendingText[] = [];
    if (drafts.length > 0) {
      const { entity } = await tx.entities.findOrAdd({ name, kind: "project", key: undefined, ...place });
      for (const draft of drafts) {
        const { outcome, id } = await tx.sessions.capture({ ...draft, ...place, entity });
        if (id !== undefined && (outcome === "inserted" || outcome === "updated")) ids.push(id);
        texts.push(...textsToEmbed(draft, { outcome, id }));
      }
    }
    // Lessons of an earlier answer beyond the new number are retired.
    const stale = Array.from({ length: MOST_LESSONS - drafts.length }, (_, nth) =>
      captureKeyOf(caller, session, LESSON_RULE, String(drafts.length + nth)),
    );
    for (const { memory, captureKey } of trace.memories)
      if (captureKey !== undefined && stale.includes(captureKey)) await tx.sessions.retire(memory);
    return { ids, texts };
  });
  embedSoon?.(texts);
  return ids;
}

interface Origin {
  readonly session: string;
  readonly nth: number;
  readonly now: Date;
  readonly model: string | undefined;
}

function draftOf(
  { content, title, layer, category, importance, tags, sources }: Proposal,
  { session, nth, now, model }: Origin,
  caller: Caller,
): Omit<CapturedMemory, "entity" | "visibility" | "projectKey"> {
  const ofCategory = category && LAYERS.find((each) => each === layerOfCategory(category));
  const place: Layer = layer ?? ofCategory ?? CAPTURE_RULES[LESSON_RULE].layer;
  return {
    layer: place,
    importance: Math.min(importance, CAPTURE_RULES[LESSON_RULE].importance),
    tags: [
      ...new Set([
        ...readTags(tags.filter((tag) => isTag(tag) && redact(tag) === tag).slice(0, MAX_TAGS)),
        lessonsTag(session),
      ]),
    ],
    text: canonical(content),
    metadata: {
      title: title === undefined || title === "" ? undefined : redact(title),
      category,
      sourceType: BY_MODEL,
      evidence: [...sources.map((id) => `[memory:${id}]`), ...(model === undefined ? [] : [`model: ${model}`])],
    },
    session,
    rule: LESSON_RULE,
    at: now,
    expiresAt: expiryOf(place, now),
    hasOwnExpiry: false,
    captureKey: captureKeyOf(caller, session, LESSON_RULE, String(nth)),
  };
}

/** Tag of all memories that a model created from one session. */
const lessonsTag = (session: string): string => `llm-session:${hash("sha256", session, "hex").slice(0, 12)}`;
