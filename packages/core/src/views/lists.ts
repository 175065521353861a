import { ChestError } from "@chest/contracts";
import { counted, dayOf } from "../answers/answer-text.ts";
import { type MemoryListRow, rowLine, rowsOf } from "../answers/row.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { some } from "../answers/wire.ts";
import { listConversations, listTriggers } from "../conversation/listed.ts";
import { readTags } from "../memory/tags.ts";
import type { Browse } from "../ports/store.ts";
import { cut } from "../text/cut.ts";
import { JOURNAL_RULES } from "../transcript/candidate.ts";
import { replayOf, stepLine } from "./session-replay.ts";
import { defineView, inPart, liveIn, type ViewPage, type ViewPorts, type ViewRequest } from "./view.ts";

const LIMIT = 20;

async function page(
  { limit, offset }: ViewRequest,
  browse: Pick<Browse, "order" | "where">,
  { store }: ViewPorts,
): Promise<ViewPage<MemoryListRow>> {
  const { total, memories } = await store.memories.browse({ ...browse, limit, offset });
  return { total, items: await rowsOf(memories, store) };
}

/** Newest first. */
export const recent = defineView({
  needs: [],
  limit: LIMIT,
  line: rowLine,
  read: (request, ports) => page(request, { order: "newest", where: liveIn(request.reach) }, ports),
});

/** The most important first, of those the newest. */
export const important = defineView({
  needs: [],
  limit: LIMIT,
  line: rowLine,
  read: (request, ports) => page(request, { order: "important", where: liveIn(request.reach) }, ports),
});

/** Memories that give orders to an agent, imitate markup, or hide text, for a person to review. */
export const flagged = defineView({
  needs: [],
  limit: 50,
  line: rowLine,
  read: (request, ports) =>
    page(
      request,
      {
        order: "newest",
        where: liveIn(request.reach, {
          ...{ isFlagged: true, withoutRules: JOURNAL_RULES },
          ...inPart("flagged", request.part),
        }),
      },
      ports,
    ),
});

/** Memories that wait for an admin's approval, in full, oldest first: an admin sees all, another caller its own. */
export const promotions = defineView({
  needs: [],
  limit: LIMIT,
  line: rowLine,
  async read({ reach, part, limit, offset }, { store }) {
    const { total, memories } = await store.promotions.waiting({ reach, part, limit, offset });
    const rows = await rowsOf(memories, store, Number.POSITIVE_INFINITY);
    return { total, items: rows.map((row, nth) => ({ ...row, evidence: [...(memories[nth]?.evidence ?? [])] })) };
  },
});

/** Archived or superseded memories, the latest first. */
export const archived = defineView({
  needs: [],
  limit: 50,
  line: rowLine,
  read: (request, ports) =>
    page(
      request,
      {
        order: "archived",
        where: { reach: request.reach, isArchived: true, withArchived: true, withSuperseded: true },
      },
      ports,
    ),
});

const MOST_STEPS = 60;

/** Memories of one session, the caller's own by default, with the state in which it ended for its own member. */
export const session = defineView({
  needs: [],
  limit: 50,
  line: rowLine,
  async read(request, ports) {
    const id = request.session ?? (await ports.store.sessions.current());
    if (id === undefined) throw noSession();
    const found = await page(request, { order: "newest", where: liveIn(request.reach, { session: id }) }, ports);
    const [left, replay] =
      request.offset === 0
        ? await Promise.all([ports.store.sessions.workSnapshot(id), replayOf({ session: id }, ports.store)])
        : [];
    const steps = replay?.steps.filter(({ kind }) => kind !== "left").slice(-MOST_STEPS) ?? [];
    return {
      ...found,
      facts: { session_id: id, ...(left && { handoff: left.text }), ...some("steps", steps.map(stepLine)) },
    };
  },
});

/** Memories with one tag. */
export const tag = defineView({
  needs: ["tag"],
  limit: LIMIT,
  line: rowLine,
  read: (request, ports) =>
    page(
      request,
      { order: "newest", where: liveIn(request.reach, { tags: readTags([request.tag ?? ""], "tag") }) },
      ports,
    ),
});

const noSession = () =>
  new ChestError("INVALID_INPUT", "session_id: this client has not written anything in a session yet", {
    hint: "name a session in `session_id`, or list with `view` `recent`",
    details: { field: "session_id" },
  });

const LINE_CHARS = 200;

/** Conversations of one project, the most used first: the caller's own place unless one is named. */
export const conversations = defineView({
  needs: [],
  limit: LIMIT,
  read: ({ reach, limit, offset }, { store, caller }) =>
    listConversations(store, {
      projectKey: typeof reach === "object" ? reach.projectKey : caller.project,
      limit,
      offset,
    }),
  line: ({ conversation_id: id, turns, first_at, last_at, score }) =>
    `${framed(id)}: ${counted(turns, "turn")}, ${dayOf(first_at)} to ${dayOf(last_at)}, score ${score}`,
});

/** Memories with a trigger, and their conditions. */
export const triggers = defineView({
  needs: [],
  limit: LIMIT,
  read: ({ reach, limit, offset }, { store }) => listTriggers(store, { reach, limit, offset }),
  line: ({ id, name, trigger, importance, content }) =>
    `[memory:${id}] ${typeof name === "string" ? `${framed(name)}, ` : ""}${framed(typeof trigger === "string" ? trigger : JSON.stringify(trigger))} (${importance}): ${cut(framed(content), LINE_CHARS)}`,
});
