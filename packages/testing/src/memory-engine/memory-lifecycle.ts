import { ChestError } from "@chest/contracts";
import {
  activation,
  type Clock,
  clustersOf,
  DIGEST_AFTER_DAYS,
  DIGEST_BELOW,
  DIGEST_IMPORTANCE,
  type Doing,
  type Done,
  derived,
  digestsOf,
  dot,
  faded,
  GAP_DAYS,
  heat,
  isActivationStale,
  isExpired,
  isOlder,
  isProtected,
  isWorthless,
  type Journal,
  type Lease,
  type Lifecycle,
  MAINTENANCE,
  type Member,
  momentum,
  NEVER_AT_RISK_DAYS,
  outlivedTurns,
  type PassName,
  type Plan,
  type Restorable,
  type RunReport,
  relationOf,
  risk,
  riskVerdict,
  type Space,
  SUMMARY_LAYER,
  type Summary,
  type Sweeps,
  segment,
  stateOf,
  summariesOf,
  tellsTextsApart,
  traceOf,
  uniteTags,
  type Writes,
  wordPrints,
} from "@chest/core";
import { type State, type StoredMemory, vectorKey } from "./memory-state.ts";

const DAY_MS = 86_400_000;

export interface MemoryParts {
  readonly clock: Clock;
  state(): State;
  /** Changes a draft, alone. */
  change<T>(by: Member, work: (draft: State, writes: Writes) => Promise<T>): Promise<T>;
}

/** Summary or digest, before it is written. */
interface ToMake extends Pick<Summary<StoredMemory>, "members" | "content" | "importance" | "tags"> {
  readonly title?: string;
  readonly createdAt?: Date;
}

const nothing: Done = { changed: 0, archived: [], created: [] };

export function memoryLifecycle(parts: MemoryParts): Lifecycle {
  const runs: RunReport[] = [];
  let isLeased = false;
  const journal: Journal = {
    async begin(trigger) {
      const id = runs.length + 1;
      runs.push({ id, trigger, startedAt: parts.clock.now(), finishedAt: undefined, outcome: undefined, passes: [] });
      return id;
    },
    async end(id, outcome, passes) {
      const run = runs[id - 1];
      if (run) runs[id - 1] = { ...run, outcome, passes, finishedAt: parts.clock.now() };
    },
    runs: async (limit) => runs.toReversed().slice(0, limit),
    lastAt: async () => runs.findLast(({ trigger }) => trigger !== "vectors")?.startedAt,
    async lastSign(leastAgeMs) {
      const now = parts.clock.now().getTime();
      const signs = [...parts.state().audit.map(({ at }) => at), ...runs.map(({ startedAt }) => startedAt)];
      const times = signs.map((at) => at.getTime()).filter((at) => now - at >= leastAgeMs);
      if (times.length === 0) return undefined;
      const at = Math.max(...times);
      return { at: new Date(at), ageMs: now - at };
    },
  };
  return {
    sweeps: memorySweeps(parts, MAINTENANCE, () => undefined),
    journal,
    async lease(): Promise<Lease | undefined> {
      if (isLeased) return undefined;
      isLeased = true;
      return {
        lost: new AbortController().signal,
        release: async () => {
          isLeased = false;
        },
      };
    },
    restore: (which) => restore(parts, which, runs.length),
  };
}

export function memorySweeps(parts: MemoryParts, by: Member, spaces: () => readonly Space[] | undefined): Sweeps {
  const { clock, state, change } = parts;
  const active = () => state().identities.active;

  const loose = (without: readonly number[] = [], withSummaries = false): StoredMemory[] => {
    const open = spaces();
    const summaries = new Set([...state().consolidations].filter(([, { isUndone }]) => !isUndone).map(([id]) => id));
    return [...state().memories.values()].filter(
      (row) =>
        stateOf(row) === "live" &&
        row.turn === undefined &&
        !isProtected(row) &&
        (withSummaries || !summaries.has(row.id)) &&
        !without.includes(row.id) &&
        (open === undefined || open.includes(row.space)),
    );
  };
  const archiving = (ids: readonly number[], pass: PassName, reason: "expired" | "dropped") => (doing: Doing) =>
    change(by, async (draft, writes) => {
      for (const id of ids) {
        const row = draft.memories.get(id);
        if (row) await writes.memories.archive(row, reason);
        note(draft, doing, pass, id);
      }
      return { changed: ids.length, archived: ids, created: [] };
    });

  const summarising = (pass: PassName, summaries: readonly ToMake[]) => (doing: Doing) =>
    change(by, async (draft, writes) => {
      const created: number[] = [];
      const archived: number[] = [];
      for (const { members, title, content, importance, tags, createdAt } of summaries) {
        const [first] = members;
        if (!first) continue;
        const { entity, visibility, space, projectId, authorId } = first;
        const added = await writes.memories.add({
          entity: { ...entity, canonicalKey: undefined },
          layer: SUMMARY_LAYER,
          text: derived(content),
          tags,
          importance,
          visibility,
          projectKey: undefined,
          expiresAt: undefined,
          hasOwnExpiry: false,
          metadata: { sourceType: "consolidation", title },
        });
        const row = draft.memories.get(added.id);
        const dated = createdAt === undefined ? {} : { createdAt };
        if (row) draft.memories.set(row.id, { ...row, space, projectId, authorId, ...dated });
        for (const member of members) {
          await writes.memories.archive(member, "cold");
          note(draft, doing, pass, member.id);
        }
        archived.push(...members.map(({ id }) => id));
        draft.consolidations.set(added.id, { replaced: members.map(({ id }) => id), isUndone: false });
        created.push(added.id);
      }
      return { changed: archived.length, archived, created };
    });

  return {
    async activation({ without }) {
      const now = clock.now();
      const rows = loose(without);
      const secondsSince = (at: Date) => (now.getTime() - at.getTime()) / 1000;
      const due = rows.filter((row) =>
        isActivationStale(
          row.activation && row.activation.computedAt.getTime() / 1000,
          (row.lastAccessedAt ?? row.createdAt).getTime() / 1000,
          now.getTime() / 1000,
        ),
      );
      return {
        scanned: rows.length,
        due: due.length,
        archives: [],
        hasMore: false,
        apply: () =>
          change(by, async (draft) => {
            for (const row of due) {
              const accesses = draft.accesses.get(row.id) ?? [row.lastAccessedAt ?? row.createdAt];
              const score = activation(accesses.reduce((sum, at) => sum + traceOf(secondsSince(at)), 0));
              draft.memories.set(row.id, { ...row, activation: { score, computedAt: now } });
            }
            return { ...nothing, changed: due.length };
          }),
      };
    },

    async momentum() {
      const now = clock.now();
      const computed = [...state().entities.values()].flatMap((entity) => {
        const ages = state()
          .events.filter(({ entityId }) => entityId === entity.id)
          .map(({ at }) => now.getTime() - at.getTime());
        const week = [...state().memories.values()].filter(
          (row) => row.entity.id === entity.id && now.getTime() - row.createdAt.getTime() <= 7 * DAY_MS,
        );
        if (ages.length === 0) return [];
        const score = momentum({
          lastDay: ages.filter((age) => age <= DAY_MS).length,
          lastWeek: ages.filter((age) => age <= 7 * DAY_MS).length,
          total: ages.length,
          days: Math.max(...ages) / DAY_MS,
          meanImportance:
            week.length === 0 ? undefined : week.reduce((sum, row) => sum + row.importance, 0) / week.length,
        });
        return [{ entity, score }];
      });
      const due = computed.filter(({ entity, score }) => Math.abs(entity.momentum - score) >= 0.005);
      return {
        scanned: computed.length,
        due: due.length,
        archives: [],
        hasMore: false,
        apply: () =>
          change(by, async (draft) => {
            for (const { entity, score } of due) draft.entities.set(entity.id, { ...entity, momentum: score });
            return { ...nothing, changed: due.length };
          }),
      };
    },

    async confidence({ without }) {
      const now = clock.now();
      const rows = loose(without, true);
      const due = rows.flatMap((row) => {
        const since = [row.createdAt, row.lastAccessedAt, row.knownAt, row.confidenceFadedTo];
        const last = new Date(Math.max(...since.map((at) => at?.getTime() ?? 0)));
        const found = faded(row.confidence, last, now);
        return found ? [{ row, found }] : [];
      });
      return {
        scanned: rows.length,
        due: due.length,
        archives: [],
        hasMore: false,
        apply: ({ runId }) =>
          change(by, async (draft) => {
            for (const { row, found } of due) {
              draft.memories.set(row.id, {
                ...row,
                confidence: found.confidence,
                confidenceFadedTo: found.countedTo,
              });
              if (runId !== undefined)
                draft.confidences.push({ runId, memoryId: row.id, before: row.confidence, after: found.confidence });
            }
            return { ...nothing, changed: due.length };
          }),
      };
    },

    async digest({ without, ...limits }) {
      const now = clock.now();
      const isOld = (at: Date) => now.getTime() - at.getTime() >= DIGEST_AFTER_DAYS * DAY_MS;
      const rows = loose(without).filter(
        (row) =>
          row.captureKey !== undefined &&
          row.importance <= DIGEST_BELOW &&
          row.lastAccessedAt === undefined &&
          isOld(row.createdAt) &&
          (row.knownAt === undefined || isOld(row.knownAt)),
      );
      const notes = rows.map((row) => ({ ...row, place: [row.space, row.projectId, row.entity.id].join(" ") }));
      const { digests, hasMore } = digestsOf(notes, now, limits);
      const archives = digests.flatMap(({ members }) => members.map(({ id }) => id));
      return {
        scanned: rows.length,
        due: archives.length,
        archives,
        hasMore,
        apply: summarising(
          "digest",
          digests.map((digest) => ({ ...digest, importance: DIGEST_IMPORTANCE })),
        ),
      };
    },

    async expiry({ without, cap }) {
      const rows = loose(without).filter(({ expiresAt }) => expiresAt !== undefined);
      const over = rows
        .filter((row) => isExpired(row, clock.now()) && (row.hasOwnExpiry || !isNewHere(row, clock.now())))
        .sort((a, b) => Number(a.expiresAt) - Number(b.expiresAt) || a.id - b.id);
      const archives = over.map(({ id }) => id).slice(0, cap);
      const plan = { scanned: rows.length, due: archives.length, archives, hasMore: over.length > cap };
      return { ...plan, apply: archiving(archives, "expiry", "expired") };
    },

    async supersession({ without = [], minCosine }): Promise<Plan> {
      const waiting = [...state().uncompared];
      const vector = (row: StoredMemory) => state().vectors.get(vectorKey(row.id, active()))?.vector;
      const live = [...state().memories.values()].filter(
        (row) => stateOf(row) === "live" && row.turn === undefined && !without.includes(row.id),
      );
      const gone = new Set<number>();
      const pairs = live
        .flatMap((newer) => live.filter((older) => isOlder(older, newer)).map((older) => ({ older, newer })))
        .filter(({ older, newer }) => waiting.includes(older.id) || waiting.includes(newer.id))
        .filter(({ older, newer }) => placeOf(older) === placeOf(newer))
        .flatMap(({ older, newer }) => {
          const [a, b] = [vector(older), vector(newer)];
          const relation =
            a && b && relationOf(older, newer, dot(a, b), tellsTextsApart(active()) ? minCosine : Infinity);
          const links = state().links.filter((link) => isBetween(link, older.id, newer.id));
          const isSettled = links.some(({ type, isManual }) => isManual || type === relation);
          return relation && !isSettled ? [{ older, newer, relation }] : [];
        })
        .sort((x, y) => (isOlder(x.newer, y.newer) ? 1 : -1))
        .filter(({ older, newer, relation }) => {
          if (gone.has(older.id) || gone.has(newer.id)) return false;
          if (relation === "supersedes") gone.add(older.id);
          return true;
        });
      const contradictions = pairs.filter(({ relation }) => relation === "contradicts").length;
      return {
        scanned: waiting.length,
        due: gone.size,
        archives: [...gone],
        hasMore: false,
        ...(contradictions > 0 ? { note: `${contradictions} contradict each other and stay, linked` } : {}),
        apply: (doing) =>
          change(by, async (draft, writes) => {
            for (const { older, newer, relation } of pairs) {
              draft.links.push({ from: newer.id, to: older.id, type: relation, isManual: false });
              if (relation !== "supersedes") continue;
              await writes.memories.supersede(older, newer.id);
              const heir = draft.memories.get(newer.id) ?? newer;
              const tags = uniteTags(heir.tags, older.tags).kept;
              const importance = Math.max(heir.importance, older.importance);
              await writes.memories.revise(heir, { tags, importance });
              note(draft, doing, "supersession", older.id);
            }
            draft.uncompared.clear();
            return { ...nothing, changed: gone.size, archived: [...gone] };
          }),
      };
    },

    async consolidation({ without, minAgeDays, maxChars, cap, onlyCaptured, session, areVectorsComing }) {
      const now = clock.now();
      const isOld = (at: Date) => now.getTime() - at.getTime() >= minAgeDays * DAY_MS;
      const written = new Set(
        [...state().memories.values()]
          .filter((row) => session !== undefined && row.session === session && row.authorId === by.id)
          .map((row) => row.entity.id),
      );
      const vector = (row: StoredMemory) => state().vectors.get(vectorKey(row.id, active()))?.vector;
      const cold = loose(without).filter(
        (row) =>
          ["context", "emotion", "implementation"].includes(row.layer) &&
          isOld(row.createdAt) &&
          isOld(row.lastAccessedAt ?? row.createdAt) &&
          heatOf(row, state(), now) < 30 &&
          !onlyCaptured &&
          !(areVectorsComing && !vector(row)) &&
          (written.size === 0 || written.has(row.entity.id)),
      );
      const groups = Map.groupBy(
        cold.map((row) => ({
          ...row,
          vector: tellsTextsApart(active()) ? vector(row) : undefined,
          words: wordPrints(segment(row.content).words),
        })),
        placeOf,
      );
      const all = [...groups.values()].flatMap((group) =>
        clustersOf(group).flatMap((cluster) => summariesOf(cluster, maxChars)),
      );
      let room = cap;
      const summaries = all.filter(({ members }, at) => {
        const isIn = at === 0 || members.length <= room;
        room = isIn ? room - members.length : 0;
        return isIn;
      });
      const archives = summaries.flatMap(({ members }) => members.map(({ id }) => id));
      return {
        scanned: cold.length,
        due: archives.length,
        archives,
        hasMore: summaries.length < all.length,
        clusters: summaries.map(({ members }) => ({
          entity: members[0]?.entity.name ?? "",
          layer: members[0]?.layer ?? SUMMARY_LAYER,
          count: members.length,
        })),
        apply: summarising("consolidation", summaries),
      };
    },

    async conversations({ without = [], ...kept }) {
      const open = spaces();
      const rows = [...state().memories.values()]
        .filter((row) => stateOf(row) === "live" && row.turn !== undefined && !without.includes(row.id))
        .filter(({ space }) => open === undefined || open.includes(space))
        .map(({ id, space, createdAt, turn }) => ({ id, space, at: createdAt, score: turn?.score ?? 0 }));
      const ids = [...Map.groupBy(rows, ({ space }) => space).values()].flatMap((here) =>
        outlivedTurns(here, kept, clock.now()).map(({ id }) => id),
      );
      const archives = ids.sort((a, b) => a - b);
      const plan = { scanned: rows.length, due: archives.length, archives, hasMore: false };
      return { ...plan, apply: archiving(archives, "conversations", "expired") };
    },

    async forgetting({ without, cap }) {
      const now = clock.now();
      const rows = loose(without);
      const judged = rows.map((row) => ({ id: row.id, value: risk(usedHere(row), heatOf(row, state(), now), now) }));
      const drops = judged
        .filter(({ value }) => riskVerdict(value) === "drop")
        .sort((a, b) => b.value - a.value || a.id - b.id);
      const archives = drops.slice(0, cap).map(({ id }) => id);
      const toCompress = judged.filter(({ value }) => riskVerdict(value) === "compress").length;
      return {
        scanned: rows.length,
        due: archives.length,
        archives,
        toDrop: drops.length,
        toCompress,
        hasMore: drops.length > archives.length,
        apply: archiving(archives, "forgetting", "dropped"),
      };
    },

    async prune({ without, cap, ...limits }) {
      const rows = loose(without);
      const due = rows
        .filter((row) => isWorthless(usedHere(row), limits, clock.now()))
        .sort((a, b) => a.confidence - b.confidence || a.id - b.id);
      const archives = due.slice(0, cap).map(({ id }) => id);
      const plan = { scanned: rows.length, due: archives.length, archives, hasMore: due.length > cap };
      return { ...plan, apply: archiving(archives, "prune", "dropped") };
    },

    async retention() {
      const before = clock.now().getTime() - 90 * DAY_MS;
      const gapsFrom = clock.now().getTime() - GAP_DAYS * DAY_MS;
      const isOver = ({ lastAt }: { readonly lastAt: Date }) => lastAt.getTime() < gapsFrom;
      const due = state().events.filter(({ at }) => at.getTime() < before).length + state().gaps.filter(isOver).length;
      return {
        scanned: due,
        due,
        archives: [],
        hasMore: false,
        apply: () =>
          change(by, async (draft) => {
            draft.gaps.splice(0, draft.gaps.length, ...draft.gaps.filter((gap) => !isOver(gap)));
            draft.events.splice(0, draft.events.length, ...draft.events.filter(({ at }) => at.getTime() >= before));
            return { ...nothing, changed: due };
          }),
      };
    },
  };
}

const isNewHere = ({ knownAt }: StoredMemory, now: Date): boolean =>
  knownAt !== undefined && now.getTime() - knownAt.getTime() < NEVER_AT_RISK_DAYS * DAY_MS;

/** Counts memories from elsewhere as used when they arrived. */
function usedHere(row: StoredMemory): StoredMemory {
  const { lastAccessedAt = row.createdAt, knownAt } = row;
  return knownAt && knownAt > lastAccessedAt ? { ...row, lastAccessedAt: knownAt } : row;
}

function heatOf(row: StoredMemory, { accesses }: State, now: Date): number {
  const ages = (accesses.get(row.id) ?? []).map((at) => now.getTime() - at.getTime());
  const within = (days: number) => ages.filter((age) => age < days * DAY_MS).length;
  return heat(row, { within30Days: within(30), within90Days: within(90) }, now);
}

const placeOf = ({ space, entity, layer }: StoredMemory): string => [space, entity.id, layer].join("\n");

const isBetween = ({ from, to }: State["links"][number], a: number, b: number): boolean =>
  (from === a && to === b) || (from === b && to === a);

function note(draft: State, { runId }: Doing, pass: PassName, memoryId: number): void {
  if (runId !== undefined) draft.changes.push({ runId, pass, memoryId });
}

async function restore({ state, change, clock }: MemoryParts, which: Restorable, runs: number) {
  const ids = chosen(state(), which, runs);
  return change(MAINTENANCE, async (draft, writes) => {
    const restored: number[] = [];
    const undone: number[] = [];
    const skipped: { id: number; reason: "not_found" | "not_archived" }[] = [];
    for (const id of ids) {
      const row = draft.memories.get(id);
      if (!row) skipped.push({ id, reason: "not_found" });
      else if (stateOf(row) === "live") skipped.push({ id, reason: "not_archived" });
      else {
        await writes.memories.restore(row);
        restored.push(id);
      }
    }
    for (const [id, { replaced, isUndone }] of draft.consolidations) {
      const isBack = replaced.every((member) => draft.memories.get(member)?.archivedAt === undefined);
      if (isUndone || !isBack) continue;
      draft.consolidations.set(id, { replaced, isUndone: true });
      const summary = draft.memories.get(id);
      if (!summary || stateOf(summary) !== "live" || isProtected(summary)) continue;
      await writes.memories.archive(summary, "operator");
      undone.push(id);
    }
    return { restored, undone, reset: resetOf(draft, which, clock.now()), skipped };
  });
}

/** Puts back what a run took of memories' confidence, unless a member has changed it since. */
function resetOf(draft: State, which: Restorable, now: Date): number[] {
  if (!("runId" in which) || (which.pass ?? "confidence") !== "confidence") return [];
  const reset: number[] = [];
  for (const { runId, memoryId, before, after } of draft.confidences.splice(0)) {
    const row = draft.memories.get(memoryId);
    if (runId !== which.runId) draft.confidences.push({ runId, memoryId, before, after });
    else if (row?.confidence === after) {
      draft.memories.set(memoryId, { ...row, confidence: before, confidenceFadedTo: now });
      reset.push(memoryId);
    }
  }
  return reset.sort((a, b) => a - b);
}

function chosen(state: State, which: Restorable, runs: number): readonly number[] {
  if ("ids" in which) return which.ids;
  if ("summaryId" in which) {
    const found = state.consolidations.get(which.summaryId);
    if (!found || found.isUndone) throw missing(`consolidation ${which.summaryId}`);
    return found.replaced;
  }
  if ("runId" in which) {
    if (which.runId < 1 || which.runId > runs) throw missing(`maintenance run ${which.runId}`);
    return state.changes
      .filter(({ runId, pass }) => runId === which.runId && pass === (which.pass ?? pass))
      .map(({ memoryId }) => memoryId);
  }
  return [...state.memories.values()]
    .filter(({ archivedReason }) => archivedReason === which.reason)
    .filter(({ archivedAt }) => !which.since || (archivedAt && archivedAt >= which.since))
    .map(({ id }) => id);
}

const missing = (what: string) => new ChestError("NOT_FOUND", `${what} not found`, { hint: "look again" });
