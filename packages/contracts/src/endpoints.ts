import { z } from "zod";
import { capabilities } from "./capabilities.ts";
import { defineEndpoint } from "./endpoint.ts";

const provider = z.object({ provider: z.string(), model: z.string().nullable(), dim: z.int().nullable() });
const state = z.enum(["ok", "error"]);

/** Every call the backend answers, by name. */
export const endpoints = {
  healthz: defineEndpoint({
    method: "GET",
    path: "/healthz",
    summary: "Is the process up and its database answering",
    scope: undefined,
    response: z.looseObject({ ok: z.boolean(), version: z.string(), db: state, embedding: provider }),
  }),
  readyz: defineEndpoint({
    method: "GET",
    path: "/readyz",
    summary: "Can this backend take a write now",
    scope: undefined,
    response: z.looseObject({
      ok: z.boolean(),
      checks: z.object({ db: state, writer: state, search: state, disk: state }),
    }),
  }),
  capabilities: defineEndpoint({
    method: "GET",
    path: "/capabilities",
    summary: "What this backend speaks, offers and limits",
    scope: "read",
    response: capabilities,
  }),
  tool: defineEndpoint({
    method: "POST",
    path: "/api/tools/:tool",
    summary: "Run a tool; the body is its arguments",
    // A reading token reaches the route; a tool that writes asks for more.
    scope: "read",
    response: z.object({ ok: z.literal(true), result: z.looseObject({ ok: z.literal(true) }) }),
  }),
} as const;
