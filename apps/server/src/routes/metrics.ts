import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/metrics.ts";

/** Counts answers, and shows the counts to operators. */
export function metricsRoutes(app: FastifyInstance, { registry, noteRequest }: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    noteRequest(request.method, request.routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });

  app.route({
    method: "GET",
    url: "/metrics",
    config: { access: "operate" },
    schema: { summary: "Counts and times for Prometheus", tags: ["backend"], "x-scope": "operate" },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  });
}
