import type { AccessReads, ProjectRow } from "../ports/access.ts";
import type { Clock } from "../ports/clock.ts";
import { alikeHint, lookAlike } from "./alike-keys.ts";
import type { Caller } from "./caller.ts";
import { opensTo, projectOfKey } from "./project.ts";

/** A member is reminded of a token's end this many days before. */
export const TOKEN_ENDS_SOON_DAYS = 14;
const DAY_MS = 86_400_000;

/** Whether the project that a caller works in is closed to it; one that does not exist yet is not. */
export async function isProjectClosed(caller: Caller, { projects }: Pick<AccessReads, "projects">): Promise<boolean> {
  const { project: key } = caller;
  if (key === undefined) return false;
  const found = projectOfKey(await projects(), key);
  return found ? !opensTo(found, caller) : caller.token?.projectIds !== undefined;
}

/** Lines for the start of a session: what will keep this caller from its memory, now or soon. */
export async function noticesFor(
  caller: Caller,
  access: Pick<AccessReads, "projects">,
  clock: Clock,
): Promise<readonly string[]> {
  const { token } = caller;
  const known = caller.project === undefined ? [] : await access.projects();
  const isClosed = await isProjectClosed(caller, { projects: async () => known });
  const older = olderLike(caller, known);
  const leftMs = token?.expiresAt === undefined ? undefined : token.expiresAt.getTime() - clock.now().getTime();
  return [
    ...(isClosed
      ? [
          "This project is closed to your token: nothing of it is recalled, and writes to it are refused. An admin opens it.",
        ]
      : []),
    ...(older === undefined ? [] : [older]),
    ...(token?.expiresAt && leftMs !== undefined && leftMs < TOKEN_ENDS_SOON_DAYS * DAY_MS
      ? [
          `The token of this machine ends on ${token.expiresAt.toISOString().slice(0, 10)}: \`chest-index token renew\` renews it.`,
        ]
      : []),
  ];
}

/** Notice of an existing project that looks like the caller's, if the caller's does not exist yet. */
function olderLike(caller: Caller, known: readonly ProjectRow[]): string | undefined {
  const { project: key } = caller;
  // For a closed project the notice says only that it is closed.
  if (key === undefined || projectOfKey(known, key)) return undefined;
  const older = known.find((project) => opensTo(project, caller) && lookAlike(project.key, key));
  return older && alikeHint(key, older.key, { isThere: false });
}

/** Lines about the memory itself as a block of text for an agent's context; undefined for none. */
export const noticeBlock = (lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : ["<chest_notice>", ...lines, "</chest_notice>"].join("\n");
