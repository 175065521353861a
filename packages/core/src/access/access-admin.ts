import {
  ChestError,
  type HandOverView,
  type JoinView,
  type MemberView,
  type NewTokenView,
  type ProjectView,
  type Scope,
  type TokenView,
} from "@chest/contracts";
import { z } from "zod";
import { some } from "../answers/wire.ts";
import { idNumeral } from "../arguments/numeral.ts";
import { alreadyDone, type Once } from "../idempotency.ts";
import type {
  AccessBook,
  AccessReads,
  AccessWrites,
  MemberRow,
  ProjectRow,
  TokenKind,
  TokenRow,
} from "../ports/access.ts";
import type { Clock } from "../ports/clock.ts";
import { wellFormed } from "../text/characters.ts";
import { invalid, readFields } from "../tool.ts";
import { lookAlike } from "./alike-keys.ts";
import type { Caller } from "./caller.ts";
import { readExpiry } from "./expiry.ts";
import { readJoin, readSplit } from "./join-projects.ts";
import { isBuiltIn, MAINTENANCE, SHARED } from "./member.ts";
import { projectKeyField, shownName } from "./name-validation.ts";
import { closedProject, keysToldTo, mayWriteTo, opensTo, projectOfKey } from "./project.ts";
import { repositoryKeyOf } from "./project-key.ts";
import { lacksScope, noSuch } from "./refusals.ts";
import { hashSecret, newSecret, writeToken } from "./token.ts";

const memberName = shownName(
  z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, "is not 1 to 64 letters, digits, `.`, `_`, `@` or `-`"),
);
const projectKey = projectKeyField().refine((key) => key !== "*", "stands for all projects and is not the key of one");
const keys = z.array(projectKey).max(100).optional();
const names = z.array(memberName).max(1000).optional();

/** Fields of access requests: REST bodies, and the flags of the CLI. */
export const DESK_FIELDS = {
  createToken: z.strictObject({
    member: memberName.optional(),
    scopes: z
      .array(z.enum(["read", "write", "operate", "admin"]))
      .min(1)
      .default(["read", "write"]),
    projects: z.array(projectKey).min(1).max(100).optional(),
    expires: z.string().optional(),
    label: shownName(z.string().trim().max(100)).transform(wellFormed).default(""),
  }),
  addMember: z.strictObject({ name: memberName, admin: z.boolean().default(false) }),
  setProject: z.strictObject({
    key: projectKey,
    access: z.enum(["open", "members"]).optional(),
    add: names,
    remove: names,
    rename: projectKey.optional(),
    add_aliases: keys,
    remove_aliases: keys,
    merge: z.boolean().default(false),
  }),
  joinProjects: z.strictObject({ key: projectKey, into: projectKey, confirm: z.boolean().default(false) }),
  splitProject: z.strictObject({ key: projectKey, confirm: z.boolean().default(false) }),
  listProjects: z.strictObject({ like: projectKey.optional() }),
  handOver: z.strictObject({ from: memberName, to: memberName, confirm: z.boolean().default(false) }),
  id: z.strictObject({ id: idNumeral() }),
  name: z.strictObject({ name: memberName }),
  all: z.strictObject({ all: z.stringbool().default(false) }),
} as const;

/** Administration of members, tokens and projects: one for REST and for those who hold the file. */
export interface AccessAdmin {
  createToken(input: unknown): Promise<NewTokenView>;
  /** All of them for an admin, else one's own. */
  listTokens(input: unknown): Promise<TokenView[]>;
  /** Makes a token like one of the caller's own, with its lifetime from now; the old one stays until its end. */
  renewToken(input: unknown): Promise<NewTokenView>;
  revokeToken(input: unknown): Promise<{ id: number; revoked_at: string }>;
  addMember(input: unknown): Promise<MemberView>;
  listMembers(): Promise<MemberView[]>;
  disableMember(input: unknown): Promise<MemberView>;
  /** Hands a disabled member's private memories to another member; without `confirm` it only counts them. */
  handOver(input: unknown): Promise<HandOverView>;
  /** All of them for an admin, else those the caller may open. Of `like` the project of that key, else those that look like it. */
  listProjects(input?: unknown): Promise<ProjectView[]>;
  setProject(input: unknown): Promise<ProjectView>;
  /** Makes one project of two, with a note at each memory where it lay; says what that would do unless `confirm` is given. */
  joinProjects(input: unknown): Promise<JoinView>;
  /** Undoes a join for one key; without `confirm` it only says what that would do. */
  splitProject(input: unknown): Promise<JoinView>;
}

/** @param once what is asked of it, where a repeat of that is to be known as one. */
export function openAccessAdmin(book: AccessBook, caller: Caller, clock: Clock, once: Once = {}): AccessAdmin {
  const isAdmin = caller.scopes.has("admin");
  const change = <T>(work: (tx: AccessWrites) => Promise<T>, over: Partial<Once> = {}): Promise<T> =>
    book.change(caller, work, { ...once, ...over });

  /** Makes a token whose secret only the first answer tells. */
  async function mint(made: (tx: AccessWrites, hash: string) => Promise<Minted>): Promise<NewTokenView> {
    const secret = newSecret();
    let isRepeat = false;
    const onReplay = () => {
      isRepeat = true;
    };
    const view = await change((tx) => made(tx, hashSecret(secret)), { onReplay });
    if (isRepeat) throw madeBefore(view.id);
    return { ...view, token: writeToken({ id: view.id, secret }) };
  }

  return {
    async createToken(input) {
      const asked = readFields(DESK_FIELDS.createToken, input);
      const isOwn = asked.member === undefined || asked.member === caller.member.name;
      if (!isAdmin) assertMints(caller, isOwn, asked.scopes);
      if (asked.member === undefined && isBuiltIn(caller.member)) throw noMemberHere(caller.member);
      const expiresAt = readExpiry(asked.expires, clock.now(), isAdmin ? undefined : caller.token?.expiresAt);
      return mint(async (tx, hash) => {
        const member = await memberFor(tx, asked.member ?? caller.member.name);
        if (asked.scopes.includes("admin") && member.role !== "admin") throw notAnAdmin(member);
        const projects = asked.projects && (await projectsFor(tx, asked.projects, caller));
        const token = await tx.addToken({
          kind: "token",
          memberId: member.id,
          label: asked.label,
          hash,
          scopes: [...new Set(asked.scopes)],
          projectIds: projects?.map(({ id }) => id) ?? (isAdmin ? undefined : caller.token?.projectIds),
          expiresAt,
          parentId: isAdmin ? undefined : parentFor(caller),
        });
        return mintedView(tx, token, caller);
      });
    },

    async renewToken(input) {
      const { id } = readFields(DESK_FIELDS.id, input);
      const now = clock.now();
      return mint(async (tx, hash) => {
        const old = (await tx.tokens()).find((each) => each.kind === "token" && each.id === id);
        if (!old || old.memberId !== caller.member.id) throw noSuch("token", String(id));
        assertRenews(old, caller, now);
        const { kind, memberId, label, scopes, projectIds, createdAt } = old;
        const lifetimeMs = old.expiresAt && old.expiresAt.getTime() - createdAt.getTime();
        const expiresAt = lifetimeMs === undefined ? undefined : new Date(now.getTime() + lifetimeMs);
        // The new token becomes a child of the old one, so that revoking a stolen token ends this one as well.
        const about = { kind, memberId, label, scopes, projectIds, expiresAt, parentId: id };
        return mintedView(tx, await tx.addToken({ ...about, hash }), caller);
      });
    },

    async listTokens(input) {
      const { all } = readFields(DESK_FIELDS.all, input);
      const tokens = (await book.tokens()).filter(
        ({ kind, memberId, revokedAt }) =>
          isListed(kind) && (isAdmin || memberId === caller.member.id) && (all || !revokedAt),
      );
      return tokenViews(book, tokens, caller);
    },

    async revokeToken(input) {
      const { id } = readFields(DESK_FIELDS.id, input);
      return change(async (tx) => {
        const token = (await tx.tokens()).find((each) => isListed(each.kind) && each.id === id);
        if (!token || (!isAdmin && token.memberId !== caller.member.id)) throw noSuch("token", String(id));
        const { revokedAt = clock.now() } = await tx.revokeToken(id);
        return { id, revoked_at: revokedAt.toISOString() };
      });
    },

    async addMember(input) {
      assertAdmin(caller);
      const { name, admin } = readFields(DESK_FIELDS.addMember, input);
      return change(async (tx) => {
        const known = await tx.memberByName(name);
        if (!known) return memberView(await tx.addMember(name, admin ? "admin" : "member"));
        if (isBuiltIn(known)) throw builtIn(known);
        if (known.isActive && (known.role === "admin" || !admin)) throw thereAlready(known);
        return memberView(await tx.setMember(known.id, { isActive: true, role: admin ? "admin" : "member" }));
      });
    },

    async listMembers() {
      assertAdmin(caller);
      return (await book.members()).filter(({ id }) => id !== MAINTENANCE.id).map(memberView);
    },

    async disableMember(input) {
      assertAdmin(caller);
      const { name } = readFields(DESK_FIELDS.name, input);
      return change(async (tx) => {
        const known = await tx.memberByName(name);
        if (!known) throw noSuch("member", name);
        if (isBuiltIn(known)) throw builtIn(known);
        if (!known.isActive) return memberView(known);
        // Its tokens end for good: letting the member in again brings none of them back.
        for (const { id, memberId } of await tx.tokens()) if (memberId === known.id) await tx.revokeToken(id);
        return memberView(await tx.setMember(known.id, { isActive: false }));
      });
    },

    async handOver(input) {
      assertAdmin(caller);
      const { from, to, confirm } = readFields(DESK_FIELDS.handOver, input);
      if (from === to) throw invalid([{ path: "to", message: "is the member that it comes from" }]);
      const [leaving, heir] = [await book.memberByName(from), await book.memberByName(to)];
      if (!leaving || isBuiltIn(leaving)) throw noSuch("member", from);
      if (!heir || isBuiltIn(heir)) throw noSuch("member", to);
      if (leaving.isActive) throw stillActive(leaving);
      if (!heir.isActive) throw invalid([{ path: "to", message: `member \`${to}\` is disabled` }]);
      const about = { from, to, confirmed: confirm };
      if (!confirm) return { ...about, memories: await book.countPrivate(leaving.id) };
      return change(async (tx) => ({ ...about, memories: await tx.handOver(leaving.id, heir.id) }));
    },

    async listProjects(input = {}) {
      const { like } = readFields(DESK_FIELDS.listProjects, input);
      const all = await book.projects();
      const told = isAdmin ? all : all.filter((project) => opensTo(project, caller));
      // One that is closed to the caller counts as none: the answer does not tell whether it is there.
      const own = like === undefined ? undefined : projectOfKey(told, like);
      const isAsked = (project: ProjectRow) =>
        like === undefined || (own ? own.id === project.id : lookAlike(project.key, like));
      return projectViews(book, told.filter(isAsked), told);
    },

    async setProject(input) {
      assertAdmin(caller);
      const asked = readFields(DESK_FIELDS.setProject, input);
      const { key, access, add = [], remove = [] } = asked;
      return change(async (tx) => {
        const known = projectOfKey(await tx.projects(), key);
        if (!known && isOfKeys(asked)) throw noSuch("project", key);
        const found = known ? await changeKeys(tx, known, asked) : await tx.project(key);
        const idOf = async (name: string) => (await tx.memberByName(name))?.id ?? fail(noSuch("member", name));
        const added = await Promise.all(add.map(idOf));
        const removed = new Set(await Promise.all(remove.map(idOf)));
        const memberIds = [...new Set([...found.memberIds, ...added])].filter((id) => !removed.has(id));
        const isChange = access !== undefined || added.length > 0 || removed.size > 0 || !isOfKeys(asked);
        const project = isChange ? await tx.setProject(found.id, { access: access ?? found.access, memberIds }) : found;
        const view = (await projectViews(tx, [project]))[0] as ProjectView;
        return known ? view : { ...view, is_new: true as const };
      });
    },

    async joinProjects(input) {
      assertAdmin(caller);
      const { key, into, confirm } = readFields(DESK_FIELDS.joinProjects, input);
      const joined = async (reads: AccessReads) => {
        const { from, to, one, moves } = await readJoin(reads, key, into);
        return { from, to, view: await joinView(reads, { key: from.key, confirmed: confirm, moves }, one) };
      };
      if (!confirm) return (await joined(book)).view;
      return change(async (tx) => {
        const { from, to, view } = await joined(tx);
        await tx.mergeProject(from.id, to.id);
        return view;
      });
    },

    async splitProject(input) {
      assertAdmin(caller);
      const { key: asked, confirm } = readFields(DESK_FIELDS.splitProject, input);
      const split = async (reads: AccessReads) => {
        const { key, whole, moves } = await readSplit(reads, asked);
        return { key, whole, view: await joinView(reads, { key, confirmed: confirm, moves }, whole) };
      };
      if (!confirm) return (await split(book)).view;
      return change(async (tx) => {
        const { key, whole, view } = await split(tx);
        await tx.splitProject(whole.id, key);
        return view;
      });
    },
  };
}

async function joinView(
  reads: AccessReads,
  about: Pick<JoinView, "key" | "confirmed" | "moves">,
  one: ProjectRow,
): Promise<JoinView> {
  const [{ key: into, access, members } = fail(noSuch("project", one.key))] = await projectViews(reads, [one]);
  return { ...about, into, access, ...(members && { members }) };
}

/** Tokens of their own, and what members let OAuth clients do. */
const isListed = (kind: TokenKind): boolean => kind === "token" || kind === "grant";

/** The token that ends what this caller makes: its own, or behind a sign-in the one that was pasted. */
export const parentFor = ({ token }: Caller): number | undefined => (token?.signIn ? token.signIn.from : token?.id);

/** A member makes tokens for itself, no wider than the one it uses. */
function assertMints({ member, scopes, token }: Caller, isOwn: boolean, request: readonly Scope[]): void {
  if (!isOwn) throw lacksScope("admin");
  if (member.id === SHARED.id || !token) {
    throw new ChestError("FORBIDDEN", "the shared token cannot create tokens", {
      hint: "ask an admin for a token of your own, or run `chest-index token create` beside the database",
      details: { scope: "admin" },
    });
  }
  const [missing] = request.filter((scope) => !scopes.has(scope));
  if (missing) throw lacksScope(missing);
}

/** A member renews the token that it uses, or from the page any of its own that is no wider than its sign-in. */
function assertRenews(old: TokenRow, { scopes, token }: Caller, now: Date): void {
  const isOver = old.revokedAt !== undefined || (old.expiresAt !== undefined && old.expiresAt <= now);
  if (isOver) {
    throw new ChestError("FORBIDDEN", `token ${old.id} is over, and only a valid one is renewed`, {
      hint: "ask an admin for a new one: `chest-index token create`",
      details: { token: old.id },
    });
  }
  if (token?.id === old.id) return;
  const [missing] = old.scopes.filter((scope) => !scopes.has(scope));
  if (missing) throw lacksScope(missing);
  if (token?.signIn && token.projectIds === undefined) return;
  throw new ChestError("FORBIDDEN", "a token renews itself alone", {
    hint: "renew it on the machine that uses it, or on the page",
    details: { token: old.id },
  });
}

function assertAdmin({ scopes }: Caller): void {
  if (!scopes.has("admin")) throw lacksScope("admin");
}

/** Makes the member if new. Only admins ask for another member than themselves. */
async function memberFor(tx: AccessWrites, name: string): Promise<MemberRow> {
  const member = (await tx.memberByName(name)) ?? (await tx.addMember(name, "member"));
  if (isBuiltIn(member)) throw builtIn(member);
  if (member.isActive) return member;
  throw new ChestError("INVALID_INPUT", `member \`${name}\` is disabled`, {
    hint: "let the member in again first: `chest-index member add`",
    details: { field: "member" },
  });
}

async function projectsFor(tx: AccessWrites, keys: readonly string[], caller: Caller): Promise<ProjectRow[]> {
  const known = await tx.projects();
  const found: ProjectRow[] = [];
  for (const key of new Set(keys)) {
    const project = projectOfKey(known, key);
    if (!caller.scopes.has("admin") && !mayWriteTo(project, caller)) throw closedProject(key);
    found.push(project ?? (await tx.project(key)));
  }
  return found;
}

type Minted = Omit<NewTokenView, "token">;

async function mintedView(reads: AccessReads, token: TokenRow, caller: Caller): Promise<Minted> {
  const [view] = await tokenViews(reads, [token], caller);
  const { created_at, revoked_at, last_used_at, client: _, ...shown } = view as TokenView;
  return shown;
}

async function tokenViews(reads: AccessReads, tokens: readonly TokenRow[], caller: Caller): Promise<TokenView[]> {
  const [members, projects] = await Promise.all([reads.members(), reads.projects()]);
  const names = new Map(members.map(({ id, name }) => [id, name]));
  const keys = keysToldTo(projects, caller);
  return tokens.map((token) => ({
    id: token.id,
    label: token.label,
    member: names.get(token.memberId) ?? "",
    scopes: [...token.scopes],
    ...(token.projectIds && { projects: token.projectIds.flatMap((id) => keys.get(id) ?? []) }),
    ...(token.client !== undefined && { client: token.client }),
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  }));
}

const memberView = ({ id, name, role, isActive, createdAt }: MemberRow): MemberView => ({
  id,
  name,
  role,
  status: isActive ? "active" : "disabled",
  created_at: createdAt.toISOString(),
});

/** @param told projects that the caller is told of; none where it is not to be told which of them look alike */
async function projectViews(
  reads: AccessReads,
  projects: readonly ProjectRow[],
  told: readonly ProjectRow[] = [],
): Promise<ProjectView[]> {
  const names = new Map((await reads.members()).map(({ id, name }) => [id, name]));
  const olderLike = ({ id, key }: ProjectRow) =>
    told.filter((other) => other.id < id && lookAlike(other.key, key)).map((other) => other.key);
  return projects.map(({ key, access, memberIds, aliases }, at) => ({
    key,
    access,
    ...some("similar", olderLike(projects[at] as ProjectRow)),
    ...(aliases.length > 0 && { aliases: [...aliases] }),
    ...(access === "members" && { members: memberIds.flatMap((id) => names.get(id) ?? []).sort() }),
  }));
}

type KeyChanges = Pick<
  z.output<(typeof DESK_FIELDS)["setProject"]>,
  "rename" | "add_aliases" | "remove_aliases" | "merge"
>;

const isOfKeys = ({ rename, add_aliases, remove_aliases }: KeyChanges): boolean =>
  [rename, add_aliases, remove_aliases].some((each) => each !== undefined);

/** Renames a project and changes its aliases; a key of another project makes one of both, where that is asked for. */
async function changeKeys(tx: AccessWrites, project: ProjectRow, request: KeyChanges): Promise<ProjectRow> {
  const { merge } = request;
  const removed = (request.remove_aliases ?? []).flatMap((key) => [key, repositoryKeyOf(key)]);
  const rename = request.rename && repositoryKeyOf(request.rename);
  const added = (request.add_aliases ?? []).map(repositoryKeyOf);
  let current = project;
  for (const key of [...(rename === undefined ? [] : [rename]), ...added]) {
    const other = projectOfKey(await tx.projects(), key);
    if (!other || other.id === current.id) continue;
    if (other.key !== key) throw isAlias(key, other);
    if (!merge) throw isAnothers(key, current);
    // The one whose key stays takes the other: a split then finds that one by its own key.
    const [from, into] = key === rename ? [current, other] : [other, current];
    current = await tx.mergeProject(from.id, into.id);
  }
  for (const key of [...(rename === undefined ? [] : [rename]), ...removed])
    if ((await tx.countJoined(current.id, key)) !== undefined) throw wasJoined(key, current);
  if (rename !== undefined && rename !== current.key) current = await tx.renameProject(current.id, rename);
  const wanted = new Set([...current.aliases, ...added].filter((key) => key !== current.key && !removed.includes(key)));
  const isSame = wanted.size === current.aliases.length && current.aliases.every((key) => wanted.has(key));
  return isSame ? current : tx.setAliases(current.id, [...wanted].sort());
}

const isAnothers = (key: string, { key: own }: ProjectRow): ChestError =>
  new ChestError("INVALID_INPUT", `there is a project \`${key}\` already`, {
    hint: `with \`merge\` all that lies in it comes to lie in \`${own}\`; \`chest-index project split ${key}\` undoes that`,
    details: { field: "merge", project: key },
  });

const isAlias = (key: string, { key: own }: ProjectRow): ChestError =>
  new ChestError("INVALID_INPUT", `\`${key}\` leads to the project \`${own}\``, {
    hint: `take it from there first: \`chest-index project alias ${own} --remove ${key}\``,
    details: { field: "key", project: own },
  });

const wasJoined = (key: string, { key: own }: ProjectRow): ChestError =>
  new ChestError("INVALID_INPUT", `the project \`${key}\` was joined to \`${own}\`: its key leads there`, {
    hint: `take it out first: \`chest-index project split ${key}\``,
    details: { field: "key", project: own },
  });

const stillActive = ({ name }: MemberRow): ChestError =>
  new ChestError("INVALID_INPUT", `member \`${name}\` is active: its private memories are its own`, {
    hint: `disable it first: \`chest-index member disable ${name}\``,
    details: { field: "from" },
  });

const builtIn = ({ name }: MemberRow): ChestError =>
  new ChestError("INVALID_INPUT", `member \`${name}\` is built in: it can neither be changed nor have tokens`, {
    hint: name === SHARED.name ? "change `CHEST_API_TOKEN` to shut its holders out" : "name another member",
    details: { field: "member" },
  });

const noMemberHere = ({ name }: Caller["member"]): ChestError =>
  new ChestError("INVALID_INPUT", `member: is missing, and \`${name}\` is no person who could have a token`, {
    hint: "name its member, who is added if new: `chest-index token create --member NAME`",
    details: { field: "member" },
  });

const thereAlready = ({ name }: MemberRow): ChestError =>
  new ChestError("INVALID_INPUT", `there is a member \`${name}\` already`, {
    hint: "make a token for it, or disable it and add it again to change its role",
    details: { field: "name" },
  });

const notAnAdmin = ({ name }: MemberRow): ChestError =>
  invalid([{ path: "scopes", message: `\`admin\` is for admins, and \`${name}\` is not one: add it as one first` }]);

const madeBefore = (id: number): ChestError =>
  alreadyDone("token", { id, hint: `if it is lost, revoke token ${id}, and make another under a new key` });

function fail(error: ChestError): never {
  throw error;
}
