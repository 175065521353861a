import { join } from "node:path";
import type { HostPorts } from "@chest/core/executor";
import type { Pipeline } from "@chest/core/pipeline";
import type { Backups, Engine, StoreHost } from "@chest/core/ports";
import { localResources, resource } from "@chest/core/resources";
import type { AnyTool } from "@chest/core/tool";
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest } from "fastify";
import type { ServerParts } from "./compose.ts";
import type { Config } from "./config.ts";
import { type Embedding, NO_EMBEDDING } from "./embedding.ts";
import type { Maintenance } from "./maintenance.ts";
import { addServerMetrics } from "./metrics/database-server.ts";
import { type Metrics, openMetrics } from "./metrics/metrics.ts";
import { addStoreMetrics } from "./metrics/store.ts";
import type { ModelFiles } from "./model-files.ts";
import { challengeFor, oauthAddresses, RESOURCE_PATH } from "./oauth/addresses.ts";
import { addRefusals } from "./plugins/audit-refusals.ts";
import { addAuth } from "./plugins/auth.ts";
import { type Login, openLogin } from "./plugins/authenticate.ts";
import { identityOf, openBrowserLogin } from "./plugins/browser.ts";
import { addEarlyRefusals } from "./plugins/client-error-handler.ts";
import { addConnectionLimit } from "./plugins/connection-limit.ts";
import { addCrossOrigin } from "./plugins/cross-origin.ts";
import { addDeadlines } from "./plugins/deadlines.ts";
import { addErrors, type DefectLog } from "./plugins/errors.ts";
import { addJson } from "./plugins/json.ts";
import { addDocs } from "./plugins/openapi.ts";
import { addPressure } from "./plugins/pressure.ts";
import { addLimits, openBudgets, type Spend } from "./plugins/rate-limit.ts";
import { addRecentClients } from "./plugins/recent-clients.ts";
import { addRequests, type RequestLog } from "./plugins/requests.ts";
import { addSecurityHeaders } from "./plugins/security.ts";
import { addTurns } from "./plugins/turns.ts";
import { accessRoutes } from "./routes/access.ts";
import { backupRoutes } from "./routes/backups.ts";
import { capabilityRoutes } from "./routes/capabilities.ts";
import { serveOperation } from "./routes/define-route.ts";
import { diagnosticsRoutes } from "./routes/diagnostics.ts";
import { embeddingRoutes } from "./routes/embedding.ts";
import { eventRoutes } from "./routes/events.ts";
import { healthRoutes } from "./routes/health.ts";
import { helpRoutes } from "./routes/help.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { hostRoutes } from "./routes/host.ts";
import { oauthRoutes } from "./routes/identity/oauth.ts";
import { signInRoutes } from "./routes/identity/sign-in.ts";
import { ssoRoutes } from "./routes/identity/sso.ts";
import { maintenanceRoutes } from "./routes/maintenance.ts";
import { catalogueServer, type McpOptions, mcpRoutes, sessionlessCatalogueServer } from "./routes/mcp.ts";
import { memoryRoutes } from "./routes/memories.ts";
import { metricsRoutes } from "./routes/metrics.ts";
import { llmRoutes, modelRoutes } from "./routes/models.ts";
import { pageRoutes } from "./routes/page.ts";
import { recordRoutes } from "./routes/records.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { snapshotRoutes } from "./routes/snapshots.ts";
import { absentRoute, toolRoutes } from "./routes/tools.ts";
import { workRoutes } from "./routes/work.ts";
import type { SchemaCheck } from "./schema-check.ts";
import { serverOptions } from "./server-options.ts";
import { TIMEOUTS, type Timeouts } from "./timeouts.ts";
import type { Tracing } from "./tracing.ts";
import type { Deliveries } from "./webhooks/deliveries.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export interface AppParts {
  readonly engine: Pick<
    Engine,
    | "inspect"
    | "identities"
    | "as"
    | "access"
    | "authorizations"
    | "audit"
    | "purger"
    | "lifecycle"
    | "server"
    | "signals"
    | "webhooks"
  >;
  /** Undefined for an engine that is not a file. */
  readonly backups?: Backups | undefined;
  readonly host?: StoreHost | undefined;
  /** Warnings of settings that were clamped, ignored or unknown. */
  readonly warnings?: readonly string[];
  /** Folder of the built page; while it is missing, `/` says so. */
  readonly pageDir?: string;
  /** Folder of the built documentation; while it is missing, `/help` says how to build it. */
  readonly helpDir?: string;
  /** Undefined when no traces are collected. */
  readonly tracing?: Tracing | undefined;
  readonly ports: HostPorts;
  readonly pipeline: Pipeline;
  readonly tools: readonly AnyTool[];
  readonly config: Config;
  readonly log: RequestLog & DefectLog;
  /** Embedding by this backend; undefined if it embeds nothing. */
  readonly embedding?: Embedding;
  readonly maintenance?: Pick<Maintenance, "onRun">;
  readonly onLlm?: ServerParts["onLlm"];
  readonly wording?: ServerParts["wording"];
  readonly deliveries: Pick<Deliveries, "ping">;
  readonly models: Pick<ModelFiles, "list" | "fetch">;
  /** Comparison of the database with the schema; undefined if it is not made. */
  readonly checkSchema?: SchemaCheck | undefined;
  readonly timeouts?: Timeouts;
  /** Stall of the event loop from which requests are refused; 0 switches the refusal off. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Undefined when the system's limit on open files decides. */
  readonly mostConnections?: number | undefined;
  /** Server for messages at `/mcp`; tests may replace the catalogue's server. */
  readonly serverFor?: McpOptions["serverFor"];
}

const PAGE_DIR = join(import.meta.dirname, "../../web/dist");
const HELP_DIR = join(import.meta.dirname, "../help/dist");

/**
 * Builds the whole HTTP server. Hooks run in the order in which they are added, which decides the reason a request is
 * refused for.
 */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { engine, backups, ports, pipeline, tools, config, log, timeouts = TIMEOUTS, maxEventLoopDelayMs } = parts;
  // Tools that work on the agent's own files run beside the agent, and are not listed here.
  const listed = tools.filter(({ site }) => site === "server");
  const served = { executor: pipeline, resources: localResources(pipeline), log };
  const pageDir = parts.pageDir ?? PAGE_DIR;
  const catalogue = { tools: listed, toolSet: config.http.toolSet, pageDir, ...served };
  const { serverFor = catalogueServer(catalogue) } = parts;
  const sessionlessFor = sessionlessCatalogueServer(catalogue);
  const { embedding = NO_EMBEDDING } = parts;
  const login = openLogin(config.access, engine.access);
  const browserLogin = openBrowserLogin(config.access, engine.access);
  const isValid = async (request: FastifyRequest) => (await identityOf(request, login, browserLogin)) !== undefined;
  const failedLogins: Spend = (request) => budgets.failedLogins(request);
  const app = Fastify(serverOptions(config, { login, failedLogins }, { timeouts, log }));
  const { once } = pipeline;
  const budgets = await openBudgets(app, config.rates);

  addErrors(app, { log });
  parts.tracing?.addTo(app);
  addRequests(app, { log });
  addConnectionLimit(app, { most: parts.mostConnections, log });
  addDeadlines(app, { timeouts, log });
  const recentClients = addRecentClients(app);
  addEarlyRefusals(app, log);
  addRefusals(app, engine.audit);
  addSecurityHeaders(app);
  addCrossOrigin(app, { origins: config.http.mcpOrigins, hasOauth: config.oauth !== undefined });
  const grantLogin: Login = (secret) => engine.access.bearer(secret, "access");
  await addAuth(app, {
    ...budgets,
    login,
    grantLogin,
    browserLogin,
    absent: (request) => absentRoute(request, tools),
  });
  addLimits(app, budgets);
  addJson(app);
  if (config.http.hasDocs) {
    addDocs(app);
    await helpRoutes(app, { folder: parts.helpDir ?? HELP_DIR });
  }

  await pageRoutes(app, { folder: pageDir });
  healthRoutes(app, {
    inspect: engine.inspect,
    dataDir: config.store.database ? undefined : config.store.dataDir,
    embedding,
  });
  capabilityRoutes(app, { limits: ports.limits, identities: engine.identities, access: engine.access, ...embedding });
  diagnosticsRoutes(app, { ...engine, checkSchema: parts.checkSchema });
  metricsRoutes(app, metricsOf(parts));
  const { host, warnings = [] } = parts;
  if (host && backups) {
    hostRoutes(app, {
      host,
      backups,
      config,
      warnings,
      identities: engine.identities,
      journal: engine.lifecycle.journal,
      access: engine.access,
      webhooks: engine.webhooks,
      ...embedding,
    });
  }
  if (backups) backupRoutes(app, { backups, keep: config.backups.keep, once });
  const work: FastifyPluginAsync = async (scope) => {
    await addPressure(scope, { maxEventLoopDelayMs });
    addTurns(scope);
    toolRoutes(scope, { tools, pipeline, canEmbed: embedding.canEmbed, writes: budgets.writes });
    snapshotRoutes(scope, pipeline);
    embeddingRoutes(scope, pipeline);
    hookRoutes(scope, pipeline, parts.wording);
    await sessionRoutes(scope, pipeline);
    serveOperation(scope, pipeline, resource);
    workRoutes(scope, pipeline);
    llmRoutes(scope, ports.llm);
    memoryRoutes(scope, pipeline);
    eventRoutes(scope, { engine, isValid, clock: ports.clock });
    signInRoutes(scope, {
      access: engine.access,
      shared: config.access,
      login,
      browserLogin,
      failedLogins,
      clock: ports.clock,
    });
    accessRoutes(scope, { access: engine.access, clock: ports.clock });
    maintenanceRoutes(scope, {
      lifecycle: engine.lifecycle,
      maintenance: config.maintenance,
      canEmbed: embedding.canEmbed,
      wording: parts.wording,
      once,
    });
    modelRoutes(scope, parts.models);
    webhookRoutes(scope, { engine, deliveries: parts.deliveries, allowsPrivate: config.allowsPrivate, once });
    recordRoutes(scope, { audit: engine.audit, purger: engine.purger, once, recentClients });
    const { signals } = engine;
    const origins = config.http.mcpOrigins;
    const mcp = { serverFor, sessionlessFor, tools, origins, writes: budgets.writes, timeouts, signals };
    mcpRoutes(scope, { ...mcp, login });
    const addresses = config.oauth && oauthAddresses(config.oauth.publicUrl);
    await oauthRoutes(scope, {
      access: engine.access,
      records: engine.authorizations,
      clock: ports.clock,
      oauth: config.oauth,
      allowPrivate: config.allowsPrivate,
      attempts: budgets.oauthAttempts,
      addresses,
    });
    ssoRoutes(scope, {
      sso: config.sso,
      addresses,
      access: engine.access,
      records: engine.authorizations,
      clock: ports.clock,
      attempts: budgets.oauthAttempts,
      log,
    });
    if (addresses) {
      const challenge = (error?: string, scopes?: string) => challengeFor(addresses, error, scopes);
      mcpRoutes(scope, { ...mcp, login: grantLogin, oauth: { path: RESOURCE_PATH, challenge } });
    }
  };
  await app.register(work);
  return app;
}

function metricsOf({ backups, engine, host, config, embedding, maintenance, onLlm }: AppParts): Metrics {
  const metrics = openMetrics();
  embedding?.onQuestion((outcome, seconds) => metrics.noteSearch("query_embedding", outcome, seconds));
  maintenance?.onRun(metrics.noteMaintenance);
  onLlm?.(metrics.noteLlm);
  if (engine.server) {
    addServerMetrics(metrics.registry, engine.server);
    return metrics;
  }
  if (!host || !backups) return metrics;
  host.onSearch((op, outcome, seconds) => metrics.noteSearch(op, outcome, seconds));
  const { load, census } = host;
  addStoreMetrics(metrics.registry, { load, census, backups, dataDir: config.store.dataDir });
  return metrics;
}
