import Fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { securityHeaders } from "./security.ts";

// The documentation page loads only its own files: no inline scripts, no fonts or telemetry from other hosts.
const PAGE_HEADERS = securityHeaders({
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'", "data:"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'", "data:", "blob:"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  workerSrc: ["'self'", "blob:"],
});

const PAGE_SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // All three options lead to services of the page's vendor.
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
};

// Relative addresses work behind any path prefix.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chest</title>
</head>
<body>
<script id="api-reference" type="application/json" data-url="openapi.json" data-configuration='${JSON.stringify(PAGE_SETTINGS)}'></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

/** Adds an OpenAPI document made from the route schemas, and a page to read it. Call it before the routes are added. */
export function addDocs(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  // Few clients request the document, and loading its generator takes a tenth of the start, so it is loaded on first
  // use.
  const document = onDemand(async () => (await import("./openapi-document.ts")).documentOf(routes));
  const script = onDemand(pageScript);
  const open = (summary: string) =>
    ({
      config: { access: "open" },
      schema: { summary, tags: ["documentation"], security: [], "x-scope": "open" },
    }) as const;
  app.get("/openapi.json", open("This document"), async (_request, reply) =>
    reply.type("application/json").send(await document()),
  );
  app.get("/docs", open("A page to read it"), async (_request, reply) =>
    reply.headers(PAGE_HEADERS).type("text/html; charset=utf-8").send(PAGE),
  );
  app.get("/docs/page.js", open("The page's program"), async (_request, reply) =>
    reply
      .type("text/javascript; charset=utf-8")
      .header("cache-control", "max-age=3600")
      .send(await script()),
  );
}

function onDemand<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Serves the page's script, unpacked at the first request, since it takes 4 MB and is rarely needed. */
async function pageScript(): Promise<Buffer> {
  const { default: reference } = await import("@scalar/fastify-api-reference");
  const shelf = Fastify();
  await shelf.register(reference, { routePrefix: "/", configuration: { url: "openapi.json" } });
  const { rawPayload } = await shelf.inject("/js/scalar.js");
  await shelf.close();
  return rawPayload;
}
