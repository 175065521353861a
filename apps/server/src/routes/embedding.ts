import { type ChestError, endpoints, toEnvelope } from "@chest/contracts";
import {
  type Accepted,
  type Engine,
  identityFields,
  pushVectors,
  readFields,
  readIdentity,
  readPush,
  sha1,
  vectorNumbers,
  vectorOf,
  vectorText,
} from "@chest/core";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../caller.ts";
import { serve } from "../serve.ts";

export interface EmbeddingOptions {
  readonly engine: Pick<Engine, "as">;
  readonly accepted: Accepted;
}

const digest = () => z.string().max(64);
const vector = { embedding: vectorNumbers().optional(), embedding_base64: vectorText().optional() };
const named = z.strictObject({ id: z.coerce.number().pipe(z.int().positive()) });
const page = z.strictObject({
  limit: z.coerce.number().pipe(z.int().min(1).max(200)).default(50),
  cursor: z.coerce.number().pipe(z.int().min(0)).default(0),
});
const one = z.strictObject({
  ...vector,
  ...identityFields,
  embedding_status: z.literal("ok"),
  content_sha1: digest().optional(),
});
const many = z.strictObject({
  ...identityFields,
  items: z
    .array(z.strictObject({ id: z.int().positive(), ...vector, content_sha1: digest() }))
    .min(1)
    .max(128),
});

/** What waits for a vector, and the vectors of whoever has a model: the clients, where the backend has none. */
export function embeddingRoutes(app: FastifyInstance, { engine, accepted }: EmbeddingOptions): void {
  serve(
    app,
    endpoints.pending,
    async (request, reply) => {
      const { limit, cursor } = readFields(page, request.query);
      const { memories, remaining } = await engine
        .as(callOf(request, reply))
        .memories.pending(accepted[0], cursor, limit);
      return {
        items: memories.map(({ id, content }) => ({
          ...{ id, content, text_for_embedding: content, content_sha1: sha1(content) },
        })),
        next_cursor: memories.at(-1)?.id ?? 0,
        remaining,
      };
    },
    { querystring: page },
  );

  serve(
    app,
    endpoints.pushEmbedding,
    async (request, reply) => {
      const { id } = readFields(named, request.params);
      const { content_sha1: contentSha1, ...pushed } = readFields(one, request.body);
      const identity = readIdentity(pushed, accepted);
      const push = { id, contentSha1, vector: vectorOf(pushed, identity.dimensions) };
      const [result] = await pushVectors(engine.as(callOf(request, reply)), identity, [push]);
      if (result?.error) throw result.error;
      const updatedAt = new Date().toISOString();
      return { id, embedding_status: "ok" as const, embedding_model: identity.model, updated_at: updatedAt };
    },
    { params: named, body: one },
  );

  serve(
    app,
    endpoints.pushEmbeddings,
    async (request, reply) => {
      const { items, ...stated } = readFields(many, request.body);
      const identity = readIdentity(stated, accepted);
      const pushes = items.map(({ id, content_sha1: contentSha1, ...pushed }) =>
        readPush(id, contentSha1, () => vectorOf(pushed, identity.dimensions)),
      );
      const results = await pushVectors(engine.as(callOf(request, reply)), identity, pushes);
      const failed = results.filter(({ error }) => error !== undefined).length;
      return { stored: results.length - failed, failed, results: results.map(present) };
    },
    { body: many },
  );
}

const present = ({ id, error }: { readonly id: number; readonly error?: ChestError | undefined }) =>
  error ? { id, ok: false, error: toEnvelope(error).error } : { id, ok: true };
