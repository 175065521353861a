import { ERRORS, WIRE_VERSION } from "@chest/contracts";
import swagger from "@fastify/swagger";
import Fastify, { type RouteOptions } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

// The address is relative to the document, so it also works behind a proxy's path prefix.
const HERE = [{ url: "./" }];

/** Reads the OpenAPI document of an app's routes, as JSON. */
export async function documentOf(routes: readonly RouteOptions[]): Promise<string> {
  const shelf = Fastify({ exposeHeadRoutes: false });
  // Collects the schemas of routes without validating anything by them.
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
