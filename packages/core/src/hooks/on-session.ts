import { ChestError } from "@chest/contracts";
import type { Caller } from "../access/caller.ts";
import { briefingRows } from "../continuity/briefing.ts";
import { contextLine, contextRow } from "../continuity/context-sections.ts";
import { dashboard, newsSince, type Pointer } from "../continuity/dashboard.ts";
import { withShownDoubts } from "../continuity/doubts.ts";
import type { GitState } from "../continuity/git-state.ts";
import { goesOn, isAlive, isElsewhere, keywordsOf } from "../continuity/handoff.ts";
import { stateOf } from "../memory/memory.ts";
import type { HandoffKind, LastWork } from "../ports/sessions.ts";
import type { Store } from "../ports/store.ts";
import { cut } from "../text/cut.ts";
import type { ToolPorts } from "../tool.ts";
import { readCarry } from "../transcript/carry.ts";
import { type Block, type BlockLine, idsOf, knowledgeBlock } from "./block.ts";
import type { PromptHookInput, SessionInput, SessionStartInput } from "./inputs.ts";
import { languageOf } from "./language.ts";
import { shownBlock } from "./lessons.ts";
import { askedIn, firstLeft, forAnother, snapshotLines, withoutOpenWork, workSnapshot } from "./work-snapshot.ts";

const WIDTH = 300;

/** Answers the start of a session, new or after its context was cleared or compacted. */
export async function onSessionStart(input: SessionStartInput, ports: ToolPorts, caller: Caller) {
  const { session_id: session, source, language } = input;
  const { store } = ports;
  if (source === "compact" || source === "resume") {
    const own = await store.sessions.workSnapshot(session);
    const lines = own ? snapshotLines(own.text) : [];
    return shownBlock(knowledgeBlock(language, { occasion: "resumed", lines }), "start", session, ports);
  }
  const { block, left } = await startBlock(input, ports, caller);
  return { ...shownBlock(block, "start", session, ports), ...(left && { handoff: "pending" as const }) };
}

/** The block of a session that begins, and the work of the last one that it may go on with. Nothing is noted or taken. */
export async function startBlock(
  { session_id: session, source, language, git, plans, shown }: SessionStartInput,
  ports: ToolPorts,
  caller: Caller,
): Promise<{ readonly block: Block | undefined; readonly left: LastWork | undefined }> {
  const { store, clock } = ports;
  const now = clock.now();
  const [left, work, news] = await Promise.all([
    lastWork(session, ports, caller, git),
    caller.project === undefined ? [] : store.work.open(caller.project),
    newsSince(session, store, caller, now),
  ]);
  // The first prompt decides whether this session continues the work. After `/clear` the work is not offered.
  const pointer = left && left.kind !== "clear" && source !== "clear" ? pointerTo(left, git) : undefined;
  const board = dashboard({ git, plans, work, news, pointer }, now).map(
    (line): BlockLine => ({
      ...line,
      reason: { kind: line.id === undefined ? "state" : "news" },
    }),
  );
  const known = await briefing([...shown, ...idsOf(board)], ports, caller);
  const block = knowledgeBlock(language, { occasion: "now", lines: board }, { occasion: "start", lines: known });
  return { block, left };
}

/** Line that offers the last session's unfinished work: its first step, and how to get the rest. */
const pointerTo = (left: LastWork, git: GitState = {}): Pointer => ({
  ...left,
  isElsewhere: isElsewhere(left.git, git),
  first: firstLeft(withoutOpenWork(left.text)),
  asked: askedIn(left.text)[0],
});

/**
 * Finds the end of this member's last session in this project, unless it is long ago or another session was told it.
 * Being told is noted, so a caller that may not write is not told: every session after it would be.
 */
async function lastWork(session: string, { store, clock }: ToolPorts, { scopes }: Caller, git: GitState = {}) {
  const last = await store.sessions.lastWork();
  if (!last || last.session === session || last.takenBy !== undefined || !scopes.has("write")) return undefined;
  return isAlive(last, git, clock.now()) ? last : undefined;
}

/** Claims the work of the last session for a session that continues it. False if another session was quicker. */
export async function take(last: LastWork, session: string, store: Store): Promise<boolean> {
  try {
    return await store.write((tx) => tx.sessions.takeWork(last.session, session));
  } catch {
    return false; // It stays for the next session, and this one gets to read everything else.
  }
}

/**
 * Block with the unfinished work of the last session; undefined unless the first prompt of the new session continues
 * it.
 */
export async function handoffFor(
  { prompt, session_id: session, git = {} }: PromptHookInput,
  ports: ToolPorts,
  caller: Caller,
  claim: typeof take,
): Promise<Block | undefined> {
  if (session === undefined) return undefined;
  const last = await lastWork(session, ports, caller, git);
  if (!last || !goesOn(prompt, last, git) || !(await claim(last, session, ports.store))) return undefined;
  const lines = snapshotLines(forAnother(withoutOpenWork(last.text))).map(
    (line): BlockLine => ({ ...line, reason: { kind: "handoff" } }),
  );
  return knowledgeBlock(languageOf(prompt), { occasion: "before", lines });
}

/** The project's goals and its most valuable memories; without a project, those of all spaces in reach. */
async function briefing(
  shown: readonly number[],
  { store, clock }: ToolPorts,
  { project }: Caller,
): Promise<BlockLine[]> {
  const now = clock.now();
  const rows = (await briefingRows(store, { project, shown, now })).map(contextRow);
  return (await withShownDoubts(rows, store)).map((row) => ({
    text: contextLine({ ...row, content: cut(row.content, WIDTH) }),
    id: Number(row.id),
    reason: { kind: row.layer === "goal" ? "goal" : "known" },
  }));
}

/** Stores a snapshot of a session's work before the session ends or loses its context. False if there was no work. */
async function keepWork(
  { session_id: session, git }: SessionInput,
  kind: HandoffKind,
  store: Store,
  { project, member }: Caller,
) {
  const trace = await store.sessions.trace(session);
  const [work, saved, last] = await Promise.all([
    project === undefined ? [] : store.work.open(project),
    store.memories.byIds(readCarry(trace.carry).saved ?? []),
    store.sessions.lastWork(),
  ]);
  const own = saved.filter((memory) => memory.authorId === member.id && stateOf(memory) === "live");
  const isGoingOn = last !== undefined && (last.takenBy === session || last.session === session);
  const text = workSnapshot(trace, { work, saved: own, askedBefore: isGoingOn ? askedIn(last.text) : [] });
  if (text === undefined) return false;
  const keywords = keywordsOf(trace, askedIn(text));
  const mark = { commit: git?.commit, branch: git?.branch };
  await store.write((tx) => tx.sessions.keepWorkSnapshot(session, { text, kind, keywords, git: mark }));
  return true;
}

export async function onPreCompact(input: SessionInput, store: Store, caller: Caller) {
  return { ok: true as const, saved: await keepWork(input, "compact", store, caller) };
}

export async function onSessionEnd(input: SessionInput, store: Store, caller: Caller) {
  const saved = await keepWork(input, input.reason === "clear" ? "clear" : "exit", store, caller);
  await store.write((tx) => tx.sessions.close(input.session_id));
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
