import { ChestError } from "@chest/contracts";
import { SHARED } from "@chest/core/access";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";

/** Counts a request; rejects with `RATE_LIMITED` above the limit. */
export type Spend = (request: FastifyRequest) => Promise<void>;

export interface Budgets {
  /** These two budgets are per address. */
  readonly failedLogins: Spend;
  readonly oauthAttempts: Spend;
  /** These two budgets are per token from any address; the shared token has one budget per address. */
  readonly requests: Spend;
  readonly writes: Spend;
}

const WINDOW_MS = 60_000;
const FAILED_LOGINS = 60;
const OAUTH_ATTEMPTS = 120;

const free: Spend = async () => {};

export async function openBudgets(app: FastifyInstance, rates: Config["rates"]): Promise<Budgets> {
  await app.register(rateLimit, { global: false });
  return {
    failedLogins: budget(app, FAILED_LOGINS, ({ ip }) => ip, "failed logins"),
    oauthAttempts:
      rates.requests === 0 ? free : budget(app, OAUTH_ATTEMPTS, ({ ip }) => ip, "requests of OAuth clients"),
    requests: rates.requests === 0 ? free : budget(app, rates.requests, budgetHolder, "requests"),
    writes: rates.writes === 0 ? free : budget(app, rates.writes, budgetHolder, "writes"),
  };
}

/** Counts every request with a token against one budget, and every write against a second one as well. */
export function addLimits(app: FastifyInstance, { requests, writes }: Budgets): void {
  app.addHook("onRequest", async (request) => {
    if (!request.caller) return;
    await requests(request);
    if (request.routeOptions.config.access === "write") await writes(request);
  });
}

/** Names the holder of a budget: the token, or the address for the token that several clients share. */
export const budgetHolder = ({ caller, ip }: FastifyRequest): string =>
  caller?.token ? `token ${caller.token.id}` : ip;

/** Names who asks: the member, whichever of its tokens it uses; the address for the token that several clients share. */
export const requesterOf = (request: FastifyRequest): string => {
  const { caller } = request;
  return caller?.member && caller.member.id !== SHARED.id ? `member ${caller.member.id}` : budgetHolder(request);
};

function budget(
  app: FastifyInstance,
  max: number,
  keyGenerator: (request: FastifyRequest) => string,
  what: string,
): Spend {
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new ChestError("RATE_LIMITED", `more than ${max} ${what} in a minute`, {
      hint: "wait as long as `retry_after_ms` says",
      details: { retry_after_ms: Math.max(1, counted.ttl) },
    });
  };
}
