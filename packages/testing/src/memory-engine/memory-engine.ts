import {
  type Call,
  type CallerPlace,
  type Clock,
  type EmbeddingIdentity,
  type Engine,
  KNOWN_IDENTITIES,
  localCaller,
  MAX_SCORE,
  opensTo,
  pendingQueue,
  type Space,
  type Store,
  type StoredVector,
  stateOf,
  storedNews,
  systemClock,
} from "@chest/core";
import { memoryAccess, projectsOf } from "./memory-access.ts";
import { firstAnswer, keepAnswer } from "./memory-answers.ts";
import { changedIds, memoryAudit, noteAudit } from "./memory-audit.ts";
import { memoryAuthorizations } from "./memory-authorization.ts";
import { memoryIdentities } from "./memory-identities.ts";
import { type MemoryParts, memoryLifecycle, memorySweeps } from "./memory-lifecycle.ts";
import { memoryEraser } from "./memory-purger.ts";
import { reads, searches } from "./memory-reads.ts";
import { copyOf, emptyState, projectIdOf, type State, vectorKey } from "./memory-state.ts";
import { memoryWebhooks } from "./memory-webhooks.ts";
import { writes } from "./memory-writes.ts";

interface MemoryOptions {
  readonly clock?: Clock;
  readonly active?: EmbeddingIdentity;
}

/** An engine in this process's memory that passes the contract: for tests that are about something else. */
export function memoryEngine({ clock = systemClock, active = KNOWN_IDENTITIES[0] }: MemoryOptions = {}): Engine {
  let state = emptyState(active);
  let queue: Promise<unknown> = Promise.resolve();
  const current = () => state;
  const news = storedNews();
  const everySpace = () => [...new Set([...state.memories.values()].map(({ space }) => space))];

  /** One after another; what a failing one changed is forgotten. */
  function alone<T>(work: (draft: State) => Promise<T>): Promise<T> {
    const turn = queue.then(async () => {
      const draft = copyOf(state);
      const result = await work(draft);
      state = draft;
      return result;
    });
    queue = turn.catch(() => undefined);
    return turn;
  }

  const parts: MemoryParts = {
    clock,
    state: current,
    change: (member, work) =>
      alone((draft) => {
        const call = { caller: { ...localCaller(undefined), member } };
        const bound = {
          standing: () => standingOf(call, draft),
          stored: [],
          used: new Set<Space>(),
          spaces: everySpace,
        };
        return work(draft, writes(draft, call.caller, clock, bound));
      }),
  };

  function as(call: Call, spaces?: () => readonly Space[]): Store {
    const standing = (): CallerPlace => standingOf(call, current());
    const reading = reads(current, standing, clock.now, call.caller, spaces);
    let isOfSeveral = false;
    return {
      ...reading,
      identities: async () => current().identities,
      search: searches(current, reading.spaces),
      sweeps: memorySweeps(parts, call.caller.member, () => reading.spaces("here")),
      async once<T>(work: () => Promise<T>) {
        isOfSeveral = true;
        const first = firstAnswer(state, call.caller, call, reading.spaces("everywhere"));
        return first ? (first.answer as T) : work();
      },
      noteAccess(ids) {
        for (const id of ids) {
          const memory = state.memories.get(id);
          if (!memory) continue;
          const at = clock.now();
          state.memories.set(id, { ...memory, accessCount: memory.accessCount + 1, lastAccessedAt: at });
          state.accesses.set(id, [...(state.accesses.get(id) ?? []), at].slice(-50));
          state.readers.set(id, [...(state.readers.get(id) ?? []), { by: call.caller.member.name, at }].slice(-50));
        }
      },
      noteTurns(points) {
        for (const [id, more] of points) {
          const memory = state.memories.get(id);
          if (!memory?.turn) continue;
          const score = Math.min(memory.turn.score + more, MAX_SCORE);
          state.memories.set(id, { ...memory, turn: { ...memory.turn, score } });
        }
      },
      async write(work) {
        const stored: StoredVector[] = [];
        const used = new Set<Space>();
        const answer = await alone(async (draft) => {
          const first = firstAnswer(draft, call.caller, call, reading.spaces("everywhere"));
          if (first) return first.answer;
          const bound = { standing: () => standingOf(call, draft), stored, used, spaces };
          const result = await work(writes(draft, call.caller, clock, bound));
          keepAnswer(draft, call.caller, call, result, isOfSeveral ? [...used, ...reading.spaces("here")] : used);
          const memoryIds = changedIds(current(), draft);
          if (memoryIds.length > 0)
            noteAudit(draft, call.caller, clock, { op: call.request?.tool ?? "write", memoryIds });
          return result;
        });
        news.tell(stored);
        return answer;
      },
    };
  }

  const own: Call = { caller: localCaller(undefined), requestId: "own", signal: new AbortController().signal };

  return {
    as: (call) => as(call),
    identities: memoryIdentities(current, alone),
    pending: pendingQueue(as(own, everySpace), clock),
    access: memoryAccess(current, alone, clock),
    authorizations: memoryAuthorizations(current, alone, clock),
    audit: memoryAudit(current, clock),
    webhooks: memoryWebhooks(current, alone, clock),
    purger: memoryEraser(current, alone, clock),
    inspect: {
      ping: async () => undefined,
      assertWritable: async () => undefined,
      assertSearchable: async () => undefined,
      examine: async () => ({
        path: "memory",
        doesExist: true,
        sizeBytes: 0,
        integrity: "ok",
        journalMode: "memory",
        tables: [],
        missingTables: [],
        isWritable: true,
      }),
      async summary() {
        const states = [...state.memories.values()].map(stateOf);
        const count = (wanted: string) => states.filter((each) => each === wanted).length;
        return {
          where: "memory",
          sizeBytes: 0,
          schemaVersion: "memory",
          live: count("live"),
          archived: count("archived"),
          superseded: count("superseded"),
          textRows: state.memories.size,
          pending: [...state.memories.values()].filter(
            (row) => stateOf(row) === "live" && !state.vectors.has(vectorKey(row.id, state.identities.active)),
          ).length,
        };
      },
    },
    lifecycle: memoryLifecycle(parts),
    onVectorsStored: news.listen,
    close: async () => {
      await queue;
    },
  };
}

function standingOf({ caller }: Pick<Call, "caller">, state: State): CallerPlace {
  return {
    member: caller.member,
    projectId: caller.project === undefined ? undefined : projectIdOf(state, caller.project),
    hasProject: caller.project !== undefined,
    openProjectIds: projectsOf(state)
      .filter((project) => opensTo(project, caller))
      .map(({ id }) => id),
  };
}
