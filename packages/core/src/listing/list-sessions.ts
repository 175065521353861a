import { z } from "zod";
import { numeral } from "../numeral.ts";
import type { Store } from "../ports/store.ts";
import { NOTICE } from "../recall/answer/sanitize-for-prompt.ts";
import { readFields } from "../tool.ts";
import * as field from "../tools/fields.ts";
import { seconds } from "../wire.ts";

export const SESSION_FIELDS = z.strictObject({
  project: field.project().optional(),
  limit: numeral(1, 200).default(50),
  offset: numeral(0).default(0),
});

const MOST_HANDOFFS = 20;

/** Lists the sessions that left something the caller may see, and the caller's own handoffs. */
export async function listSessions(given: unknown, store: Store) {
  const { project, limit, offset } = readFields(SESSION_FIELDS, given);
  const reach = field.readReach(project);
  const { total, sessions } = await store.listings.sessions({ reach, limit, offset });
  const handoffs = await store.sessions.handoffs(MOST_HANDOFFS);
  return {
    _notice: NOTICE,
    ok: true as const,
    total,
    sessions: sessions.map(({ id, author, project: key, memories, edits, firstAt, lastAt }) => ({
      session_id: id,
      author,
      ...(key === undefined ? {} : { project: key }),
      memories,
      edits,
      first_at: seconds(firstAt),
      last_at: seconds(lastAt),
    })),
    handoffs: handoffs.map(({ session, kind, createdAt, takenBy, text, git }) => ({
      session_id: session,
      kind,
      at: seconds(createdAt),
      is_taken: takenBy !== undefined,
      ...(git.branch === undefined ? {} : { git_branch: git.branch }),
      text,
    })),
  };
}
