import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const pass = z.looseObject({
  name: z.string(),
  scanned: z.int(),
  changed: z.int().describe("In a preview: rows that it would change"),
  seconds: z.number(),
  note: z.string().optional(),
});

/** Endpoints of maintenance, for those who operate a backend. */
export const maintenanceEndpoints = {
  listMaintenance: defineEndpoint({
    method: "GET",
    path: "/api/maintenance",
    summary: "The last 30 runs of maintenance, newest first, and what each pass did",
    scope: "operate",
    response: z.looseObject({
      ok: z.literal(true),
      is_on: z.boolean().describe("Runs by itself"),
      runs: z.array(
        z.looseObject({
          id: z.int(),
          trigger: z.string(),
          started_at: z.string(),
          finished_at: z.string().nullable(),
          outcome: z.string().nullable().describe("Null while it runs, or when its process died"),
          passes: z.array(pass),
        }),
      ),
    }),
  }),
  maintain: defineEndpoint({
    method: "POST",
    path: "/api/maintenance",
    isLong: true,
    summary: "Preview all passes of maintenance, run them now, or restore what a run archived",
    scope: "operate",
    repeat: "replayed",
    response: z.looseObject({
      ok: z.literal(true),
      run_id: z.int().optional(),
      passes: z.array(pass).optional(),
      restored: z.int().optional().describe("Memories that an undo brought back"),
      undone: z.int().optional().describe("Summaries that went with it"),
    }),
  }),
} as const;
