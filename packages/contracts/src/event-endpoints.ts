import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const event = z.object({
  seq: z.string().describe("Opaque: where to resume after this event"),
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
      "Changes of memories that the caller may see, ids only, after the cursor `?after=`, or the newest, by `?member=&project=&since=&until=`; with `Accept: text/event-stream` as server-sent events, resumed by `Last-Event-ID`",
    scope: "read",
    response: z.object({ events: z.array(event), last: z.string() }),
  }),
} as const;
