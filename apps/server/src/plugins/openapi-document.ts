import { ERRORS, WIRE_VERSION } from "@chest/contracts";
import swagger from "@fastify/swagger";
import Fastify, { type RouteOptions } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

// Relative to the document, so that it holds behind a proxy's prefix too.
const HERE = [{ url: "./" }];

/** OpenAPI document of an app's routes, as JSON. */
export async function documentOf(routes: readonly RouteOptions[]): Promise<string> {
  const shelf = Fastify({ exposeHeadRoutes: false });
  // Schemas are read here, and nothing is checked by them.
  shelf.setValidatorCompiler(() => () => true);
  shelf.setSerializerCompiler(() => () => "");
  await shelf.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Chest", version: WIRE_VERSION, description: introduction() },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  });
  for (const { method, url, schema } of routes) {
    if (method !== "HEAD") shelf.route({ method, url, ...(schema ? { schema } : {}), handler: async () => {} });
  }
  await shelf.ready();
  return JSON.stringify({ ...shelf.swagger(), servers: HERE });
}

function introduction(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, retry }]) => `| \`${code}\` | ${status} | ${retry} |`);
  return [
    "Shared memory for coding agents. Every failure has the same envelope, whatever the route:",
    '`{ "ok": false, "error": { "code", "message", "hint"?, "details"? } }`.',
    "",
    "| code | status | may be sent again |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}
