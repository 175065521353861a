import { hash, timingSafeEqual } from "node:crypto";
import { type Caller, SHARED } from "@chest/core/access";
import type { AccessBook } from "@chest/core/ports";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** Member and rights of a token. */
export type Identity = Pick<Caller, "member" | "scopes" | "token">;

/** Looks up the identity of a token now; undefined when the token is not, or no longer, valid. */
export type Login = (secret: string) => Identity | undefined | Promise<Identity | undefined>;

/** Checks the shared tokens itself, and looks up all others in the access book at every request. */
export function openLogin({ tokens, scopes }: Config["access"], book: Pick<AccessBook, "bearer">): Login {
  const isShared = oneOf(tokens);
  const shared: Identity = { member: SHARED, scopes };
  return (secret) => (isShared(secret) ? shared : book.bearer(secret));
}

/** Compares digests, each in constant time. They have one length and reveal nothing about the token. */
function oneOf(expected: readonly string[]): (secret: string) => boolean {
  const digests = expected.map((token) => hash("sha256", token, "buffer"));
  return (secret) => {
    const digest = hash("sha256", secret, "buffer");
    // Compares every digest, so that the duration reveals nothing.
    return digests.map((each) => timingSafeEqual(digest, each)).includes(true);
  };
}

/** Reads the token of a request, valid or not; undefined without one. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, "headers">): string | undefined =>
  /^bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1]?.trim();
