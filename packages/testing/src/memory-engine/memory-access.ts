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
  type Space,
  type TokenRow,
} from "@chest/core";
import { firstAnswer, keepAnswer } from "./memory-answers.ts";
import { noteAudit } from "./memory-audit.ts";
import { projectIdOf, type State, type StoredMemory } from "./memory-state.ts";

const BUILT_IN: readonly MemberRow[] = [MAINTENANCE, SHARED, LOCAL].map((member) => ({
  ...member,
  role: "member",
  isActive: member !== MAINTENANCE,
  createdAt: new Date(0),
}));

/** A project of a store in memory; undefined while there is none. */
export const projectOf = ({ projects, aliases, closed }: State, key: string): ProjectRow | undefined => {
  const id = projectIdOf({ projects, aliases }, key);
  if (id === undefined) return undefined;
  const own = [...projects].find(([, each]) => each === id)?.[0] ?? key;
  const others = [...aliases].flatMap(([alias, of]) => (of === id ? [alias] : [])).toSorted();
  return { id, key: own, aliases: others, ...(closed.get(id) ?? { access: "open", memberIds: [] }) };
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
    async countPrivate(memberId) {
      return [...state().memories.values()].filter(({ space }) => isOwn(space, memberId)).length;
    },
    tokens: async () =>
      [...state().tokens.values()]
        .filter(({ kind }) => kind !== "access")
        .filter((token) => token.kind === "token" || token.kind === "grant" || !isIdle(token, clock))
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
  const byId = (id: number): ProjectRow => has(projectsOf(state).find((project) => project.id === id));
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
      if (token.kind !== "access") note(`${token.kind}.create`, `token:${row.id}`);
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
      return byId(id);
    },
    async renameProject(id, key) {
      const { key: old } = byId(id);
      state.projects.delete(old);
      state.aliases.delete(key);
      state.projects.set(key, id);
      state.aliases.set(old, id);
      note("project.rename", `project:${id}`);
      return byId(id);
    },
    async setAliases(id, keys) {
      for (const key of byId(id).aliases) state.aliases.delete(key);
      for (const key of keys) state.aliases.set(key, id);
      note("project.alias", `project:${id}`);
      return byId(id);
    },
    async mergeProject(from, into) {
      const closed = [byId(from), byId(into)].filter(({ access }) => access === "members");
      const gone = byId(from);
      if (closed.length > 0) {
        const [first, ...others] = closed.map(({ memberIds }) => memberIds);
        const memberIds = (first ?? []).filter((id) => others.every((ids) => ids.includes(id)));
        state.closed.set(into, { access: "members", memberIds });
      }
      moveSpaces(state, (space) => space.replace(new RegExp(`p${from}$`), `p${into}`), { projectId: into });
      for (const key of [gone.key, ...gone.aliases]) state.aliases.set(key, into);
      state.projects.delete(gone.key);
      state.closed.delete(from);
      note("project.merge", `project:${into}`);
      return byId(into);
    },
    async handOver(fromId, toId) {
      const prefix = new RegExp(`^m${fromId}(?=p|$)`);
      const moved = moveSpaces(state, (space) => space.replace(prefix, `m${toId}`), { authorId: toId });
      note("member.hand-over", `member:${fromId}`);
      return moved;
    },
  };
}

const idOf = ({ tokens }: State, hash: string): number =>
  [...tokens.values()].find((token) => token.kind === "access" && token.hash === hash)?.id ?? 0;

const isOwn = (space: Space, memberId: number): boolean =>
  space === `m${memberId}` || space.startsWith(`m${memberId}p`);

/** Moves rows and entities into other spaces; entities of one kind and name there become one. */
function moveSpaces(state: State, target: (space: Space) => Space, change: Partial<StoredMemory>): number {
  for (const [id, entity] of state.entities) state.entities.set(id, { ...entity, space: target(entity.space) });
  const known = (row: StoredMemory, space: Space) =>
    [...state.entities.values()].find(
      ({ space: of, kind, name }) => of === space && kind === row.entity.kind && name === row.entity.name,
    );
  let moved = 0;
  for (const [id, row] of state.memories) {
    const space = target(row.space);
    if (space === row.space) continue;
    moved += 1;
    const entity = { ...row.entity, id: known(row, space)?.id ?? row.entity.id };
    state.memories.set(id, { ...row, ...change, space, entity });
  }
  return moved;
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
      const isAccess = kind === "access";
      const parts = isAccess ? { id: idOf(state(), hashSecret(text)), secret: text } : readToken(text);
      const token = parts && state().tokens.get(parts.id);
      const member = token && (await accessReads(state, clock).members()).find(({ id }) => id === token.memberId);
      if (!parts || !token || token.kind !== kind || token.hash !== hashSecret(parts.secret)) return undefined;
      const hasEnded = (each: TokenRow) =>
        each.revokedAt !== undefined || (each.expiresAt !== undefined && each.expiresAt <= clock.now());
      if (hasEnded(token) || !member?.isActive) return undefined;
      const grant = isAccess && token.parentId !== undefined ? state().tokens.get(token.parentId) : token;
      if (!grant || hasEnded(grant)) return undefined;
      if (kind === "session" && isIdle(token, clock)) return undefined;
      if (kind === "session") state().tokens.set(token.id, { ...token, lastUsedAt: clock.now() });
      const { id, projectIds, expiresAt, parentId } = token;
      return {
        member: { id: member.id, name: member.name },
        token: {
          id: isAccess ? (parentId ?? id) : id,
          projectIds,
          expiresAt,
          ...(kind === "session" && { signIn: { from: parentId } }),
        },
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
