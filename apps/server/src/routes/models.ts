import { endpoints } from "@chest/contracts";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ModelFiles } from "../model-files.ts";
import { writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

const ASKED = z.strictObject({ model: z.string().min(1).max(200).describe("Id of the model, as `GET` lists it") });

/** Routes that list model files, and download them when an operator asks. */
export function modelRoutes(app: FastifyInstance, files: Pick<ModelFiles, "list" | "fetch">): void {
  serve(app, endpoints.listModels, () => files.list());
  serve(
    app,
    endpoints.fetchModel,
    async (request, reply) => {
      writeCallOf(request, reply);
      return files.fetch(readFields(ASKED, request.body).model);
    },
    { body: ASKED },
  );
}
