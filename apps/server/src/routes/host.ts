import { endpoints, type HostFacts, TOKEN_ENDS_SOON_MS } from "@chest/contracts";
import { backupFacts, findingsOf, placeFacts, rowFacts } from "@chest/core/doctor";
import type { Backups, Engine, RunReport, StoreHost, TokenRow } from "@chest/core/ports";
import { RELEASE } from "@chest/runtime";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { serve } from "./define-route.ts";

export interface HostOptions {
  readonly host: StoreHost;
  readonly backups: Pick<Backups, "list">;
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly identities: Pick<Engine["identities"], "current">;
  readonly journal: Pick<Engine["lifecycle"]["journal"], "runs">;
  readonly access: Pick<Engine["access"], "tokens">;
  readonly webhooks: Pick<Engine["webhooks"], "list">;
  canEmbed(): Promise<boolean>;
}

/** Route of the facts that `doctor` judges. Like all diagnostics it answers under load. */
export function hostRoutes(app: FastifyInstance, options: HostOptions): void {
  const { host, backups, config, warnings, identities, journal, access, webhooks, canEmbed } = options;
  serve(app, endpoints.diagnoseHost, async (request) => {
    const [census, embeds, listed, runs, { active, next }, tokens, hooks] = await Promise.all([
      host.census(),
      canEmbed(),
      backups.list(),
      journal.runs(LAST_RUNS),
      identities.current(),
      access.tokens(),
      webhooks.list(),
    ]);
    const { has, knows } = host.schema();
    const { storeBytes, logBytes } = host.load();
    const facts: HostFacts = {
      ok: true as const,
      server_version: RELEASE,
      time: new Date().toISOString(),
      uptime_s: Math.round(process.uptime()),
      config: {
        warnings: [...warnings],
        trust_proxy_hops: config.http.trustProxyHops,
        bind_host: config.http.host,
        backup_interval_hours: config.backups.everyHours,
        can_embed: embeds,
        ...(isEmbedding(config) ? { model: config.embedding.choice.identity.model } : {}),
      },
      store: {
        schema: has,
        known_schema: knows,
        bytes: storeBytes,
        log_bytes: logBytes,
        ...rowFacts(census),
        model: active.model,
        ...(next ? { next_model: next.model } : {}),
      },
      place: placeFacts(host.place()),
      maintenance: maintenanceFacts(config, runs),
      tokens: tokenFacts(tokens, Date.now()),
      sign_in: {
        public_url: config.oauth?.publicUrl ?? null,
        sso: config.sso
          ? { provider: config.sso.kind, issuer: config.sso.issuer, client_id: config.sso.clientId }
          : null,
      },
      webhooks: {
        count: hooks.length,
        failing: hooks.flatMap(({ id, failures, trouble }) =>
          trouble === undefined ? [] : [{ id, failures, trouble }],
        ),
      },
      backups: backupFacts(listed),
      request: {
        is_forwarded: request.headers["x-forwarded-for"] !== undefined,
        is_proxy_believed: config.http.trustProxyHops > 0,
      },
    };
    return { ...facts, findings: findingsOf(facts, new Date()) };
  });
}

/** A token counts as in use if it was used within this time before now, or before its end. */
const IN_USE_MS = 7 * 86_400_000;

function tokenFacts(tokens: readonly TokenRow[], now: number): HostFacts["tokens"] {
  const standing = tokens.filter(
    ({ kind, revokedAt }) => (kind === "token" || kind === "grant") && revokedAt === undefined,
  );
  const end = ({ expiresAt }: TokenRow) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const isUsed = (token: TokenRow) =>
    token.lastUsedAt !== undefined && token.lastUsedAt.getTime() > Math.min(now, end(token)) - IN_USE_MS;
  const used = standing.filter(isUsed);
  return {
    live: standing.filter((token) => end(token) > now).length,
    expired_in_use: used.filter((token) => end(token) <= now).map(({ id }) => id),
    ending_soon: used.filter((token) => end(token) > now && end(token) < now + TOKEN_ENDS_SOON_MS).map(({ id }) => id),
  };
}

const isEmbedding = ({ embedding }: Config): boolean =>
  (embedding.isAfterWrite || embedding.isSweeping) && !embedding.choice.isOff;

// Enough runs to contain two whole ones, between which many runs only compare new vectors.
const LAST_RUNS = 500;

function maintenanceFacts({ maintenance }: Config, runs: readonly RunReport[]): HostFacts["maintenance"] {
  const last = runs.find(({ trigger }) => trigger !== "vectors");
  return {
    is_on: maintenance !== undefined,
    interval_s: (maintenance?.intervalMs ?? 0) / 1000,
    last_at: last?.startedAt.toISOString() ?? null,
    last_outcome: last ? (last.outcome ?? "running") : null,
    waits_since: last?.passes.find(({ waitsSince }) => waitsSince !== undefined)?.waitsSince ?? null,
  };
}
