import { ChestError } from "@chest/contracts";
import type { Reach } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";
import type { ToolPorts } from "../tool.ts";
import { knowledgeBlock, recallBlock } from "./block.ts";
import type { SessionInput, SessionStartInput } from "./inputs.ts";
import { workSnapshot } from "./work-snapshot.ts";

const MOST_LESSONS = 5;
const LOOKED_AT = 60;
const WIDTH = 300;
const DAY_MS = 86_400_000;
const HANDOFF_MS = { startup: 7 * DAY_MS, clear: DAY_MS / 4 } as const;

/** Answers the start of a session, new or after its context was cleared or compacted. */
export async function onSessionStart(asked: SessionStartInput, ports: ToolPorts, project: string | undefined) {
  const { session_id: session, source, language } = asked;
  if (source === "compact" || source === "resume") {
    const own = await ports.store.sessions.workSnapshot(session);
    return own ? { ok: true as const, context: knowledgeBlock("resumed", language, own.text) } : { ok: true as const };
  }
  const [handoff, learned] = await Promise.all([lastWork(session, source, ports), briefing(asked, ports, project)]);
  const context = [handoff && knowledgeBlock("before", language, handoff), learned?.text].filter(Boolean).join("\n");
  return context === "" ? { ok: true as const } : { ok: true as const, context, shown: learned?.ids ?? [] };
}

/** Finds the end of this member's last session in this project, unless it is long ago. */
async function lastWork(session: string, source: "startup" | "clear", { store, clock }: ToolPorts) {
  const last = await store.sessions.lastWork();
  if (!last || last.session === session) return undefined;
  return clock.now().getTime() - last.createdAt.getTime() < HANDOFF_MS[source] ? last.text : undefined;
}

/** The lessons that matter most: the project's own, and where there is room the team's. */
async function briefing(
  { language, shown }: SessionStartInput,
  { store, clock }: ToolPorts,
  projectKey: string | undefined,
) {
  const own = projectKey === undefined ? [] : await lessons({ projectKey }, store, shown);
  const more = own.length < MOST_LESSONS ? await lessons("here", store, [...shown, ...own.map(({ id }) => id)]) : [];
  const rows = [...own, ...more].slice(0, MOST_LESSONS).map((memory) => ({ memory }));
  return recallBlock({ occasion: "start", language, rows, width: WIDTH, now: clock.now() });
}

/** The best of the newest within reach, the newer first among equals. */
async function lessons(reach: Reach, { memories }: Store, shown: readonly number[]): Promise<Memory[]> {
  const where = { reach, layers: ["realize", "learning"], withArchived: false, withSuperseded: false } as const;
  return (await memories.newest({ ...where, minImportance: 0.5 }, LOOKED_AT))
    .filter(({ id }) => !shown.includes(id))
    .map((memory, nth) => ({ memory, weight: memory.importance + (memory.layer === "realize" ? 0.1 : 0) - nth / 1000 }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_LESSONS)
    .map(({ memory }) => memory);
}

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
