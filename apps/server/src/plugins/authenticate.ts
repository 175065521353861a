import { hash, timingSafeEqual } from "node:crypto";
import { type AccessBook, type Caller, SHARED } from "@chest/core";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** Identity behind a token. */
export type Identity = Pick<Caller, "member" | "scopes" | "token">;

/** Looks up the identity of a token, now; undefined when it is not valid, or no longer. */
export type Login = (given: string) => Identity | undefined | Promise<Identity | undefined>;

/** Knows the tokens that everyone shares by themselves, and asks the book for all others, at every request. */
export function openLogin({ tokens, scopes }: Config["access"], book: Pick<AccessBook, "bearer">): Login {
  const isShared = oneOf(tokens);
  const shared: Identity = { member: SHARED, scopes };
  return (given) => (isShared(given) ? shared : book.bearer(given));
}

/** Compares digests, which are of one length and say nothing of the token, each in constant time. */
function oneOf(expected: readonly string[]): (given: string) => boolean {
  const digests = expected.map((token) => hash("sha256", token, "buffer"));
  return (given) => {
    const digest = hash("sha256", given, "buffer");
    // Compares all of them, so that the time tells nothing.
    return digests.map((each) => timingSafeEqual(digest, each)).includes(true);
  };
}

/** The token that a request came with, right or wrong; undefined when it came with none. */
export const tokenOf = ({ headers }: Pick<FastifyRequest, "headers">): string | undefined =>
  /^bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1]?.trim();
