import type { Scope } from "@chest/contracts";
import type { Caller, CallerToken } from "../access/caller.ts";
import type { Member, Role } from "../access/member.ts";
import type { Once } from "../idempotency.ts";

export interface MemberRow extends Member {
  readonly role: Role;
  readonly isActive: boolean;
  readonly createdAt: Date;
}

export type ProjectAccess = "open" | "members";

export interface ProjectRow {
  readonly id: number;
  readonly key: string;
  /** Former or additional keys: of a moved repository, or a fork. */
  readonly aliases: readonly string[];
  /** Open to every member, or only to named ones. */
  readonly access: ProjectAccess;
  /** Ids of the members who may open it while its access is `members`. */
  readonly memberIds: readonly number[];
}

/**
 * `token` is for agents, `session` is a browser that is signed in to the page, and `link` leads to one such sign-in, once.
 * `grant` is what a member lets an OAuth client do; `access` is one of its access tokens, and its parent is the grant.
 */
export type TokenKind = "token" | "link" | "session" | "grant" | "access";

/** A browser session ends after this time without use. */
export const SIGN_IN_IDLE_MS = 12 * 3_600_000;

export interface NewToken {
  readonly kind: TokenKind;
  readonly memberId: number;
  readonly label: string;
  /** Hash of the secret; the secret itself is not stored. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  /** The only projects that the token opens; undefined: all of the member's. */
  readonly projectIds: readonly number[] | undefined;
  readonly expiresAt: Date | undefined;
  /** The token that created this one: revoking it revokes this one too. */
  readonly parentId: number | undefined;
  /** Id of the OAuth client that owns the grant. */
  readonly client?: string | undefined;
}

export interface TokenRow extends Omit<NewToken, "hash"> {
  readonly id: number;
  readonly createdAt: Date;
  readonly revokedAt: Date | undefined;
  /** Updated at most once a minute. */
  readonly lastUsedAt: Date | undefined;
}

/** Member and current rights of a token. */
export interface Bearer {
  readonly member: Member;
  readonly token: CallerToken;
  readonly scopes: ReadonlySet<Scope>;
}

/** Rows of a project by kind. */
export interface ProjectCounts {
  readonly memories: number;
  readonly sessions: number;
  readonly tasks: number;
  readonly gaps: number;
}

export interface AccessReads {
  members(): Promise<readonly MemberRow[]>;
  /** Undefined if the member never existed. */
  memberByName(name: string): Promise<MemberRow | undefined>;
  memberById(id: number): Promise<MemberRow | undefined>;
  projects(): Promise<readonly ProjectRow[]>;
  /** Rows of a project by kind, of all members. */
  countIn(projectId: number): Promise<ProjectCounts>;
  /**
   * Counts memories that were in a project of this key before it was joined to this one; undefined if none was joined.
   */
  countJoined(projectId: number, key: string): Promise<ProjectCounts | undefined>;
  /** Number of memories that are one member's alone. */
  countPrivate(memberId: number): Promise<number>;
  /**
   * Lists tokens by id, without their hashes. Links and sign-ins of the last twelve hours are among them; access tokens
   * never are.
   */
  tokens(): Promise<readonly TokenRow[]>;
  /** A token of the kinds that `tokens` lists, even if it was last used long ago. */
  tokenById(id: number): Promise<TokenRow | undefined>;
}

/**
 * Changes to members, tokens and projects; each method leaves its row in the audit log, in the same transaction. An access
 * token leaves none: a client gets one every hour, and the log knows its grant.
 */
export interface AccessWrites extends AccessReads {
  addMember(name: string, role: Role): Promise<MemberRow>;
  setMember(id: number, change: { readonly role?: Role; readonly isActive?: boolean }): Promise<MemberRow>;
  addToken(token: NewToken): Promise<TokenRow>;
  /** Revokes the tokens that were made with it too; an already revoked token is unchanged. */
  revokeToken(id: number): Promise<TokenRow>;
  /** Finds or creates the project with this key. */
  project(key: string): Promise<ProjectRow>;
  setProject(id: number, change: Pick<ProjectRow, "access" | "memberIds">): Promise<ProjectRow>;
  /** Changes a project's key; the old key becomes an alias. */
  renameProject(id: number, key: string): Promise<ProjectRow>;
  /** Replaces the aliases of a project. */
  setAliases(id: number, keys: readonly string[]): Promise<ProjectRow>;
  /**
   * Makes one project of two: all that lies in `from` moves to `into`, with a note where it lay, and its keys lead there. It lets no member in:
   * one who could not open either of them opens neither.
   */
  mergeProject(from: number, into: number): Promise<ProjectRow>;
  /** Undoes that for the project that had this key, as open as the joined one is. */
  splitProject(id: number, key: string): Promise<ProjectRow>;
  /** Hands one member's private memories to another member. @returns their number. */
  handOver(fromId: number, toId: number): Promise<number>;
}

/** Members, tokens and projects, and the rights on them. */
export interface AccessBook extends AccessReads {
  /**
   * Bearer of a token, as of now. Undefined for a token of another kind, or one that is revoked, expired, or of a
   * disabled member. A kind is `token` unless stated. The bearer of an `access` token has the id of its grant.
   */
  bearer(token: string, kind?: TokenKind): Promise<Bearer | undefined>;
  /** Runs `work` in one transaction, as `Store.write` does; a repeat gets what the first one returned, and `work` is not run. */
  change<T>(by: Caller, work: (tx: AccessWrites) => Promise<T>, once?: Once): Promise<T>;
}
