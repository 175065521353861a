import { RELEASE } from "@chest/runtime";
import type { Span } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";

export interface Tracing {
  /** Records a span for each request, below the parent that its `traceparent` names. */
  addTo(app: FastifyInstance): void;
  /** Sends the spans that have not been sent. */
  close(): Promise<void>;
}

export interface TracingLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Sends traces to an OTLP collector; undefined where no collector is configured or the optional packages are missing.
 */
export async function openTracing(collector: string | undefined, log: TracingLog): Promise<Tracing | undefined> {
  if (collector === undefined) return undefined;
  try {
    return await startTracing(`${collector.replace(/(?<!\/)\/+$/, "")}/v1/traces`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    log.warn({ packages: "@opentelemetry/*" }, "no traces are sent: their optional packages are not installed");
    return undefined;
  }
}

async function startTracing(url: string): Promise<Tracing> {
  const [api, core, resources, exporter, sdk] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/core"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/sdk-trace-base"),
  ]);
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ "service.name": "chest", "service.version": RELEASE }),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url }))],
  });
  const tracer = provider.getTracer("chest-server", RELEASE);
  const propagator = new core.W3CTraceContextPropagator();
  const spans = new WeakMap<FastifyRequest, Span>();

  return {
    addTo(app) {
      app.addHook("onRequest", (request, _reply, done) => {
        const parent = propagator.extract(api.ROOT_CONTEXT, request.headers, api.defaultTextMapGetter);
        const route = request.routeOptions.url ?? "none";
        const attributes = {
          "http.request.method": request.method,
          "http.route": route,
          "chest.request_id": request.id,
        };
        const options = { kind: api.SpanKind.SERVER, attributes };
        spans.set(request, tracer.startSpan(`${request.method} ${route}`, options, parent));
        done();
      });
      app.addHook("onResponse", (request, reply, done) => {
        const span = spans.get(request);
        span?.setAttribute("http.response.status_code", reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR });
        span?.end();
        done();
      });
    },
    close: () => provider.shutdown(),
  };
}
