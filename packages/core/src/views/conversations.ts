import { counted, dayOf } from "../answers/answer-text.ts";
import { framed } from "../answers/sanitize-for-prompt.ts";
import { listConversations, listTriggers } from "../conversation/listed.ts";
import { cut } from "../text/cut.ts";
import { defineView } from "./view.ts";

const LIMIT = 20;
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
