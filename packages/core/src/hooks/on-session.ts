import { ChestError } from "@chest/contracts";
import type { Caller } from "../access/caller.ts";
import type { Layer } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";
import type { ToolPorts } from "../tool.ts";
import { knowledgeBlock, recallBlock } from "./block.ts";
import type { SessionInput, SessionStartInput } from "./inputs.ts";
import { isLesson, SHOWN_LAYERS, WORK_LOG_RULES } from "./lessons.ts";
import { workSnapshot } from "./work-snapshot.ts";

const MOST_GOALS = 3;
const MOST_LESSONS = 5;
const MIN_IMPORTANCE = 0.5;
const WITHOUT_RULES = [...WORK_LOG_RULES, "first_intent", "clarification"] as const;
// Of each kind by itself, so that notes of one busy day do not push out what was learned before.
const LOOKED_AT = 60;
const WIDTH = 300;
const DAY_MS = 86_400_000;
const HANDOFF_MS = { startup: 7 * DAY_MS, clear: DAY_MS / 4 } as const;

/** Answers the start of a session, new or after its context was cleared or compacted. */
export async function onSessionStart(asked: SessionStartInput, ports: ToolPorts, caller: Caller) {
  const { session_id: session, source, language } = asked;
  if (source === "compact" || source === "resume") {
    const own = await ports.store.sessions.workSnapshot(session);
    return own ? { ok: true as const, context: knowledgeBlock("resumed", language, own.text) } : { ok: true as const };
  }
  const [handoff, known] = await Promise.all([
    lastWork(session, source, ports, caller),
    briefing(asked, ports, caller),
  ]);
  const context = [handoff && knowledgeBlock("before", language, handoff), known?.text].filter(Boolean).join("\n");
  return context === "" ? { ok: true as const } : { ok: true as const, context, shown: known?.ids ?? [] };
}

/**
 * Finds the end of this member's last session in this project, unless it is long ago or another session was told it.
 * Being told is noted, so a caller that may not write is not told: every session after it would be.
 */
async function lastWork(session: string, source: "startup" | "clear", { store, clock }: ToolPorts, { scopes }: Caller) {
  const last = await store.sessions.lastWork();
  if (!last || last.session === session || last.isTaken || !scopes.has("write")) return undefined;
  if (clock.now().getTime() - last.createdAt.getTime() >= HANDOFF_MS[source]) return undefined;
  try {
    const isOurs = await store.write((tx) => tx.sessions.takeWork(last.session));
    return isOurs ? last.text : undefined;
  } catch {
    return undefined; // It stays for the next session, and this one gets to read everything else.
  }
}

/** The project's goals and what is worth most of what else is known there; without a project, of all in reach. */
async function briefing({ language, shown }: SessionStartInput, { store, clock }: ToolPorts, { project }: Caller) {
  const best = (layers: readonly Layer[], most: number) => bestOf({ layers, most, project, shown }, store);
  const [goals, lessons, others] = await Promise.all([
    best(["goal"], MOST_GOALS),
    best(SHOWN_LAYERS.filter(isLesson), MOST_LESSONS),
    best(
      SHOWN_LAYERS.filter((layer) => layer !== "goal" && !isLesson(layer)),
      MOST_LESSONS,
    ),
  ]);
  const known = [...lessons, ...others].sort(byWeight).slice(0, MOST_LESSONS);
  const rows = [...goals, ...known].map(({ memory }) => ({ memory }));
  return recallBlock({ occasion: "start", language, rows, width: WIDTH, now: clock.now() });
}

interface Weighed {
  readonly memory: Memory;
  readonly weight: number;
}

const byWeight = (a: Weighed, b: Weighed): number => b.weight - a.weight;

interface Wanted {
  readonly layers: readonly Layer[];
  readonly most: number;
  readonly project: string | undefined;
  readonly shown: readonly number[];
}

/** The best of the newest, the newer first among equals. */
async function bestOf({ layers, most, project, shown }: Wanted, { memories }: Store): Promise<Weighed[]> {
  const where = { reach: "here", layers, fromProject: project, withArchived: false, withSuperseded: false } as const;
  const only = { withoutRules: WITHOUT_RULES, minImportance: MIN_IMPORTANCE, isFlagged: false };
  return (await memories.newest({ ...where, ...only }, LOOKED_AT))
    .filter(({ id }) => !shown.includes(id))
    .map((memory, nth) => ({ memory, weight: memory.importance + (BONUS[memory.layer] ?? 0) - nth / 1000 }))
    .sort(byWeight)
    .slice(0, most);
}

const BONUS: Readonly<Partial<Record<Layer, number>>> = { realize: 0.2, learning: 0.1 };

/** Keeps what a session was at, before it loses its context or ends. False when it left nothing. */
async function keepWork(session: string, store: Store): Promise<boolean> {
  const text = workSnapshot(await store.sessions.trace(session));
  if (text === undefined) return false;
  await store.write((tx) => tx.sessions.keepWorkSnapshot(session, text));
  return true;
}

export async function onPreCompact({ session_id }: SessionInput, store: Store) {
  return { ok: true as const, saved: await keepWork(session_id, store) };
}

export async function onSessionEnd({ session_id }: SessionInput, store: Store) {
  const saved = await keepWork(session_id, store);
  await store.write((tx) => tx.sessions.close(session_id));
  return { ok: true as const, saved };
}

/** A session's work snapshot by itself. */
export async function readWork(session: string, store: Store) {
  const found = await store.sessions.workSnapshot(session);
  if (found) return { ok: true as const, text: found.text };
  throw new ChestError("NOT_FOUND", "no snapshot of this session found", {
    hint: "one is kept when a session's context is compacted or it ends, for 14 days",
  });
}
