import { ChestError, type SignInLinkView, type SignInView } from "@chest/contracts";
import { z } from "zod";
import { idNumeral } from "../arguments/numeral.ts";
import { alreadyDone, type Once } from "../idempotency.ts";
import { type AccessBook, type AccessWrites, type Bearer, SIGN_IN_IDLE_MS, type TokenRow } from "../ports/access.ts";
import type { Clock } from "../ports/clock.ts";
import { readFields } from "../tool.ts";
import { DESK_FIELDS, parentFor } from "./access-admin.ts";
import type { Caller, Client } from "./caller.ts";
import { isBuiltIn } from "./member.ts";
import { lacksScope, noSuch } from "./refusals.ts";
import { hashSecret, newSecret, writeToken } from "./token.ts";

const LINK_MS = 10 * 60_000;
const USUAL = ["read", "write"] as const;

/** Fields of requests about sign-ins. */
export const SIGN_IN_FIELDS = {
  signIn: z.strictObject({
    token: z.string().min(1).max(500).optional(),
    link: z.string().min(1).max(500).optional(),
    /** Member that this browser is signed in as, and is no more: without it a link of another member changes nothing. */
    replaces: z.string().max(200).optional(),
    /** Path of the page behind the prefix of a proxy; the cookie is limited to it. */
    at: z
      .string()
      .regex(/^\/(?:[\w.~-]+\/)*$/, "is not a path that begins and ends with `/`")
      .default("/"),
  }),
  link: z.strictObject({ member: DESK_FIELDS.name.shape.name.optional() }),
  id: z.strictObject({ id: idNumeral() }),
} as const;

/** Member and rights of a token, which a sign-in takes over. */
export type Rights = Pick<Caller, "member" | "scopes" | "token">;

export interface Browser {
  /** Browser and system, for the list of sign-ins. */
  readonly label: string;
  readonly client: Client;
}

/** Turns the secret of a cookie into the one that is kept, where a sign-in is to end with more than itself. */
export type Tie = (secret: string) => string;

/** Signs a browser in with the rights of a token. @returns the cookie; undefined when the token ended meanwhile. */
export const signInWith = (
  book: AccessBook,
  rights: Rights,
  browser: Browser,
  tie?: Tie,
): Promise<string | undefined> => add(book, rights, browser, tie, async () => rights.token?.id);

/** Signs a browser in by a link, which is used up by that. @returns the cookie; undefined for a link that was used. */
export const signInByLink = (
  book: AccessBook,
  link: Bearer,
  browser: Browser,
  tie?: Tie,
): Promise<string | undefined> =>
  add(book, link, browser, tie, async (tx) => {
    const found = (await tx.tokens()).find(({ id }) => id === link.token.id);
    if (!found || found.revokedAt) throw new Ended();
    await tx.revokeToken(found.id);
    return found.parentId;
  });

/** Aborts a transaction in which a token or a link turns out to have ended. */
class Ended extends Error {}

async function add(
  book: AccessBook,
  { member, scopes, token }: Rights,
  { label, client }: Browser,
  tie: Tie = (secret) => secret,
  parentIn: (tx: AccessWrites) => Promise<number | undefined>,
): Promise<string | undefined> {
  const secret = newSecret();
  const by: Caller = { member, scopes, token, project: undefined, client };
  try {
    const id = await book.change(by, async (tx) => {
      const parentId = await parentIn(tx);
      const parent = (await tx.tokens()).find((each) => each.id === parentId);
      if (parent?.revokedAt) throw new Ended();
      const rights = { memberId: member.id, scopes: [...scopes], projectIds: token?.projectIds };
      const ends = { parentId, expiresAt: parent?.expiresAt };
      const made = await tx.addToken({ kind: "session", label, hash: hashSecret(tie(secret)), ...rights, ...ends });
      return made.id;
    });
    return writeToken({ id, secret });
  } catch (error) {
    if (error instanceof Ended) return undefined;
    throw error;
  }
}

/** Administration of sign-ins, for the page and for those who hold the file. */
export interface SignInAdmin {
  /** Makes a link for the caller, with the caller's rights; an admin may make one for another member. */
  createLink(input: unknown): Promise<SignInLinkView>;
  /** Lists all sign-ins for an admin, and the caller's own for other members. */
  list(): Promise<SignInView[]>;
  end(input: unknown): Promise<{ id: number; revoked_at: string }>;
}

export function openSignInAdmin(book: AccessBook, caller: Caller, clock: Clock, once: Once = {}): SignInAdmin {
  const isAdmin = caller.scopes.has("admin");
  const isMine = ({ kind, memberId }: TokenRow) => kind === "session" && (isAdmin || memberId === caller.member.id);

  return {
    async createLink(input) {
      const { member = caller.member.name } = readFields(SIGN_IN_FIELDS.link, input);
      const isOwn = member === caller.member.name;
      if (!isOwn && !isAdmin) throw lacksScope("admin");
      const secret = newSecret();
      const expiresAt = new Date(clock.now().getTime() + LINK_MS);
      let isRepeat = false;
      const onReplay = () => {
        isRepeat = true;
      };
      const id = await book.change(
        caller,
        async (tx) => {
          const { memberId, ...rights } = isOwn ? rightsOf(caller) : await rightsOfMember(tx, member);
          const link = { kind: "link", memberId, label: "", hash: hashSecret(secret), expiresAt, ...rights } as const;
          return (await tx.addToken(link)).id;
        },
        { ...once, onReplay },
      );
      if (isRepeat) throw alreadyDone("link", { id, hint: "make another under a new key" });
      return { link: writeToken({ id, secret }), member, expires_at: expiresAt.toISOString() };
    },

    async list() {
      const names = new Map((await book.members()).map(({ id, name }) => [id, name]));
      const now = clock.now();
      const live = (token: TokenRow) => !token.revokedAt && endOf(token) > now;
      return (await book.tokens())
        .filter((token) => isMine(token) && live(token))
        .map((token) => ({
          id: token.id,
          member: names.get(token.memberId) ?? "",
          label: token.label,
          created_at: token.createdAt.toISOString(),
          last_used_at: token.lastUsedAt?.toISOString() ?? null,
          ends_at: endOf(token).toISOString(),
          is_this: token.id === caller.token?.id,
        }));
    },

    async end(input) {
      const { id } = readFields(SIGN_IN_FIELDS.id, input);
      return book.change(
        caller,
        async (tx) => {
          const token = (await tx.tokens()).find((each) => each.id === id);
          if (!token || !isMine(token)) throw noSignIn(id);
          const { revokedAt = clock.now() } = await tx.revokeToken(id);
          return { id, revoked_at: revokedAt.toISOString() };
        },
        once,
      );
    },
  };
}

const rightsOf = (caller: Caller) => ({
  memberId: caller.member.id,
  scopes: [...caller.scopes],
  projectIds: caller.token?.projectIds,
  parentId: parentFor(caller),
});

/** A link for another member has the usual rights, and with them those that an admin has. */
async function rightsOfMember(tx: AccessWrites, name: string) {
  const member = await tx.memberByName(name);
  if (!member) throw noSuch("member", name);
  if (isBuiltIn(member) || !member.isActive) {
    throw new ChestError("INVALID_INPUT", `member \`${name}\` is ${member.isActive ? "built in" : "disabled"}`, {
      hint: member.isActive ? "name another member" : "let the member in again first: `chest-index member add`",
      details: { field: "member" },
    });
  }
  const scopes = [...USUAL, ...(member.role === "admin" ? (["operate", "admin"] as const) : [])];
  return { memberId: member.id, scopes, projectIds: undefined, parentId: undefined };
}

function endOf({ createdAt, lastUsedAt, expiresAt }: TokenRow): Date {
  const idleAt = (lastUsedAt ?? createdAt).getTime() + SIGN_IN_IDLE_MS;
  return new Date(Math.min(idleAt, expiresAt?.getTime() ?? idleAt));
}

const noSignIn = (id: number): ChestError =>
  new ChestError("NOT_FOUND", `sign-in \`${id}\` not found`, {
    hint: "the page lists those that are open",
    details: { id: String(id) },
  });
