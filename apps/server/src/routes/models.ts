import { endpoints } from "@chest/contracts";
import { type Llm, noLlm } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { ModelFiles } from "../model-files.ts";
import { callOf, writeCallOf } from "../plugins/caller.ts";
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

const TEST = {
  system: "Answer with the one word that the user asks for.",
  prompt: "Write the word: ready",
  maxTokens: 20,
};

/** Route that shows the operator whether a language model is available and what it costs, but never a prompt. */
export function llmRoutes(app: FastifyInstance, llm: Llm = noLlm): void {
  const stateOf = () => {
    const { provider, model, isResting, used, budget } = llm.state();
    return {
      configured: provider !== undefined,
      provider: provider ?? null,
      model: model ?? null,
      resting: isResting,
      tokens_today: used,
      tokens_a_day: budget,
    };
  };
  serve(app, endpoints.llm, async () => ({ ok: true as const, ...stateOf() }));
  serve(app, endpoints.testLlm, async (request, reply) => {
    const startedAt = performance.now();
    const answer = await llm.write(TEST, callOf(request, reply).signal);
    return {
      ok: true as const,
      writes: "text" in answer,
      reason: "failure" in answer ? answer.failure : null,
      cause: ("cause" in answer ? answer.cause : undefined) ?? null,
      ms: Math.round(performance.now() - startedAt),
      ...stateOf(),
    };
  });
}
