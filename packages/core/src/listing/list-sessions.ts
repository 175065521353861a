import { endpoints } from "@chest/contracts";
import { z } from "zod";
import { NOTICE } from "../answers/sanitize-for-prompt.ts";
import { seconds } from "../answers/wire.ts";
import { numeral } from "../arguments/numeral.ts";
import { readBetween } from "../moments/read-moment.ts";
import { defineOperation } from "../operation.ts";
import * as field from "../tools/fields.ts";
import { sessionName } from "../views/session-replay.ts";

const SESSION_FIELDS = z.strictObject({
  project: field.project().optional(),
  author: z.string().max(64).optional(),
  since: field.moment().optional(),
  until: field.moment().optional(),
  time_zone: field.timeZone(),
  limit: numeral(1, 200).default(50),
  offset: numeral(0).default(0),
});

const MOST_HANDOFFS = 20;

/** Lists the sessions that left something the caller may see, and the caller's own handoffs. */
export const listSessions = defineOperation({
  endpoint: endpoints.listSessions,
  query: SESSION_FIELDS,
  isPlaced: true,
  async run({ query: { project, author, limit, offset, ...asked } }, { store, clock, caller }) {
    const { since, until } = readBetween(asked, asked.time_zone, { now: clock.now(), timeZone: caller.timeZone });
    const reach = field.readReach(project);
    const { total, sessions } = await store.listings.sessions({ reach, author, since, until, limit, offset });
    const named = await store.memories.byIds(sessions.map((session) => session.named));
    const names = new Map(named.map((memory) => [memory.id, sessionName(memory)]));
    const handoffs = await store.sessions.handoffs(MOST_HANDOFFS);
    return {
      _notice: NOTICE,
      ok: true as const,
      total,
      sessions: sessions.map(
        ({ id, author: by, project: key, client, memories, edits, files, named: of, firstAt, lastAt }) => ({
          session_id: id,
          ...(names.has(of) ? { name: names.get(of) } : {}),
          author: by,
          ...(client === undefined ? {} : { client }),
          ...(key === undefined ? {} : { project: key }),
          memories,
          edits,
          files,
          first_at: seconds(firstAt),
          last_at: seconds(lastAt),
        }),
      ),
      handoffs: handoffs.map(({ session, kind, createdAt, takenBy, text, git }) => ({
        session_id: session,
        kind,
        at: seconds(createdAt),
        is_taken: takenBy !== undefined,
        ...(git.branch === undefined ? {} : { git_branch: git.branch }),
        text,
      })),
    };
  },
});
