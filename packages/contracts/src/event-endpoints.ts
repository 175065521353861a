import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const event = z.object({
  seq: z.int(),
  at: z.string(),
  op: z.string(),
  member: z.string().nullable(),
  memory_ids: z.array(z.int()),
});
export type EventView = z.infer<typeof event>;

/** Endpoint of changes as they happen. */
export const eventEndpoints = {
  events: defineEndpoint({
    method: "GET",
    path: "/events",
    summary:
      "Changes of memories that the caller may see, ids only, as server-sent events by number, resumed by `Last-Event-ID` or `?after=`; `?follow=false` for those there are",
    scope: "read",
    response: z.object({ events: z.array(event), last: z.int() }),
  }),
} as const;
