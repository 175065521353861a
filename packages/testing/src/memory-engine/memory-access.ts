import {
  type AccessBook,
  type AccessReads,
  type AccessWrites,
  type Caller,
  type Clock,
  closedProject,
  hashSecret,
  LOCAL,
  MAINTENANCE,
  type MemberRow,
  mayWriteTo,
  type ProjectRow,
  readToken,
  SHARED,
  SIGN_IN_IDLE_MS,
  type TokenRow,
} from "@chest/core";
import { firstAnswer, keepAnswer } from "./memory-answers.ts";
import { noteAudit } from "./memory-audit.ts";
import type { State } from "./memory-state.ts";

const BUILT_IN: readonly MemberRow[] = [MAINTENANCE, SHARED, LOCAL].map((member) => ({
  ...member,
  role: "member",
  isActive: member !== MAINTENANCE,
  createdAt: new Date(0),
}));

/** A project of a store in memory; undefined while nobody has made it. */
const projectOf = ({ projects, closed }: State, key: string): ProjectRow | undefined => {
  const id = projects.get(key);
  if (id === undefined) return undefined;
  return { id, key, ...(closed.get(id) ?? { access: "open", memberIds: [] }) };
};

export const projectsOf = (state: State): ProjectRow[] =>
  [...state.projects.keys()].flatMap((key) => projectOf(state, key) ?? []);

/** The id to write a memory under, made on first use. Throws for a project that is closed to the caller. */
export function writableProject(state: State, key: string, caller: Caller): number {
  const known = projectOf(state, key);
  if (!mayWriteTo(known, caller)) throw closedProject(key);
  if (known) return known.id;
  state.lastId += 1;
  state.projects.set(key, state.lastId);
  return state.lastId;
}

const isIdle = ({ lastUsedAt, createdAt }: TokenRow, clock: Clock): boolean =>
  clock.now().getTime() - (lastUsedAt ?? createdAt).getTime() >= SIGN_IN_IDLE_MS;

function accessReads(state: () => State, clock: Clock): AccessReads {
  const members = () => [...BUILT_IN, ...state().members.values()];
  return {
    members: async () => members(),
    memberByName: async (name) => members().find((member) => member.name === name),
    projects: async () => projectsOf(state()),
    tokens: async () =>
      [...state().tokens.values()]
        .filter((token) => token.kind === "token" || !isIdle(token, clock))
        .map(({ hash: _, ...token }) => token),
  };
}

function accessWrites(state: State, by: Caller, clock: Clock): AccessWrites {
  const nextId = () => {
    state.lastId += 1;
    return state.lastId;
  };
  const note = (op: string, subject: string) => noteAudit(state, by, clock, { op, subject });
  const put = <T extends { readonly id: number }>(rows: Map<number, T>, row: T): T => {
    rows.set(row.id, row);
    return row;
  };
  const has = <T>(row: T | undefined): T => {
    if (row === undefined) throw new Error("there is no such row");
    return row;
  };
  return {
    ...accessReads(() => state, clock),
    async addMember(name, role) {
      const member = put(state.members, { id: nextId(), name, role, isActive: true, createdAt: clock.now() });
      note("member.add", `member:${member.id}`);
      return member;
    },
    async setMember(id, change) {
      note(change.isActive === false ? "member.disable" : "member.change", `member:${id}`);
      return put(state.members, { ...has(state.members.get(id)), ...change });
    },
    async addToken(token) {
      const row = { ...token, id: nextId(), createdAt: clock.now(), revokedAt: undefined, lastUsedAt: undefined };
      note(`${token.kind}.create`, `token:${row.id}`);
      const { hash: _, ...view } = put(state.tokens, row);
      return view;
    },
    async revokeToken(id) {
      if (!state.tokens.get(id)?.revokedAt) note("token.revoke", `token:${id}`);
      const ids = new Set([id]);
      for (const token of state.tokens.values()) if (token.parentId && ids.has(token.parentId)) ids.add(token.id);
      for (const each of ids) {
        const token = has(state.tokens.get(each));
        put(state.tokens, { ...token, revokedAt: token.revokedAt ?? clock.now() });
      }
      const { hash: _, ...view } = has(state.tokens.get(id));
      return view as TokenRow;
    },
    async project(key) {
      writableProject(state, key, by);
      return has(projectOf(state, key));
    },
    async setProject(id, { access, memberIds }) {
      note("project.change", `project:${id}`);
      state.closed.set(id, { access, memberIds });
      return has(projectsOf(state).find((project) => project.id === id));
    },
  };
}

/** Members, tokens and projects of a store in memory. */
export function memoryAccess(
  state: () => State,
  alone: <T>(work: (draft: State) => Promise<T>) => Promise<T>,
  clock: Clock,
): AccessBook {
  return {
    ...accessReads(state, clock),
    async bearer(text, kind = "token") {
      const parts = readToken(text);
      const token = parts && state().tokens.get(parts.id);
      const member = token && (await accessReads(state, clock).members()).find(({ id }) => id === token.memberId);
      if (!parts || !token || token.kind !== kind || token.hash !== hashSecret(parts.secret)) return undefined;
      if (token.revokedAt || (token.expiresAt && token.expiresAt <= clock.now()) || !member?.isActive) return undefined;
      if (kind === "session" && isIdle(token, clock)) return undefined;
      if (kind === "session") state().tokens.set(token.id, { ...token, lastUsedAt: clock.now() });
      const { id, projectIds, expiresAt, parentId } = token;
      return {
        member: { id: member.id, name: member.name },
        token: { id, projectIds, expiresAt, ...(kind === "session" && { signIn: { from: parentId } }) },
        scopes: new Set(
          token.scopes.filter((scope) => scope !== "admin" || member.role === "admin" || member.id === LOCAL.id),
        ),
      };
    },
    change: (by, work, once = {}) =>
      alone(async (draft) => {
        const first = firstAnswer(draft, by, once, []);
        if (first) return first.answer;
        const answer = await work(accessWrites(draft, by, clock));
        keepAnswer(draft, by, once, answer, []);
        return answer;
      }),
  };
}
