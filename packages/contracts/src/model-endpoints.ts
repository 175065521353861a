import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const model = z.looseObject({
  id: z.string(),
  use: z.enum(["embedding", "reranking"]),
  is_configured: z.boolean().describe("False for the one offered if no model is named"),
  state: z.enum(["here", "missing", "fetching", "failed"]),
  received_bytes: z.int().describe("While it is fetched"),
  total_bytes: z.int().nullable().describe("Null where only the hub can say"),
  trouble: z
    .looseObject({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .nullable()
    .describe("Why the last attempt failed"),
});
export type ModelView = z.infer<typeof model>;

/** Endpoints of the models' files, for those who operate a backend. */
export const modelEndpoints = {
  listModels: defineEndpoint({
    method: "GET",
    path: "/api/models",
    summary: "The models that this backend may run, whether their files are here, and how far a download is",
    scope: "operate",
    response: z.looseObject({
      can_run: z.boolean().describe("The model runtime is installed with this backend"),
      models: z.array(model),
    }),
  }),
  fetchModel: defineEndpoint({
    method: "POST",
    path: "/api/models",
    summary: "Begin to download a model that `GET /api/models` lists; that route then tells how far it is",
    scope: "operate",
    repeat: "harmless",
    response: z.looseObject({ model: z.string() }),
  }),
} as const;
