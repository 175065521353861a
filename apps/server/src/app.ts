import type { AnyTool, Engine, Executor } from "@chest/core";
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from "fastify";
import type { Config } from "./config.ts";
import { addAuth } from "./plugins/auth.ts";
import { addDocs } from "./plugins/docs.ts";
import { addErrors, type DefectLog } from "./plugins/errors.ts";
import { addJson } from "./plugins/json.ts";
import { addLimits, openBudgets } from "./plugins/limits.ts";
import { addPressure } from "./plugins/pressure.ts";
import { addRequests, type RequestLog } from "./plugins/requests.ts";
import { addSecurityHeaders } from "./plugins/security.ts";
import { capabilityRoutes } from "./routes/capabilities.ts";
import { healthRoutes } from "./routes/health.ts";
import { catalogueServer, type McpOptions, mcpRoutes } from "./routes/mcp.ts";
import { absentRoute, toolRoutes } from "./routes/tools.ts";
import { serverOptions } from "./server-options.ts";
import { TIMEOUTS, type Timeouts } from "./timeouts.ts";

export interface AppParts {
  readonly engine: Pick<Engine, "inspect">;
  readonly executor: Executor;
  readonly tools: readonly AnyTool[];
  readonly config: Config;
  readonly log: RequestLog & DefectLog;
  readonly timeouts?: Timeouts;
  /** Who answers at `/mcp`; the catalogue, unless a test brings a server of its own. */
  readonly serverFor?: McpOptions["serverFor"];
}

/** The whole HTTP surface. Hooks run in this order, and it is the order in which a request is refused. */
export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { engine, executor, tools, config, log, timeouts = TIMEOUTS } = parts;
  const { serverFor = catalogueServer(tools, executor, log) } = parts;
  const app = Fastify(serverOptions(config, timeouts));
  const budgets = await openBudgets(app, config.rates);

  addErrors(app, { log });
  addRequests(app, { log });
  addSecurityHeaders(app);
  await addAuth(app, { ...budgets, access: config.access, absent: (request) => absentRoute(request, tools) });
  addLimits(app, budgets);
  addJson(app);
  if (config.http.hasDocs) await addDocs(app);

  healthRoutes(app, { inspect: engine.inspect, dataDir: config.store.dataDir });
  capabilityRoutes(app, config.limits);
  const work: FastifyPluginAsync = async (scope) => {
    await addPressure(scope);
    toolRoutes(scope, { tools, executor });
    mcpRoutes(scope, { serverFor, tools, origins: config.http.mcpOrigins, writes: budgets.writes });
  };
  await app.register(work);
  return app;
}
