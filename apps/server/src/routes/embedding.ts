import { ChestError, endpoints, toEnvelope } from "@chest/contracts";
import { type Caller, lacksScope } from "@chest/core/access";
import { idNumeral, numeral } from "@chest/core/arguments";
import {
  acceptedWith,
  embedPushed,
  identityFields,
  isSameIdentity,
  type Pushed,
  pendingQueue,
  pushVectors,
  readIdentity,
  readPush,
  vectorNumbers,
  vectorOf,
  vectorText,
} from "@chest/core/embedding";
import { sha1 } from "@chest/core/memory";
import type { Clock, EmbedderFor, Engine } from "@chest/core/ports";
import { wellFormed } from "@chest/core/text";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface EmbeddingOptions {
  readonly engine: Pick<Engine, "as">;
  readonly clock: Clock;
  readonly embedders: EmbedderFor;
}

const digest = () => z.string().max(64);
const vector = { embedding: vectorNumbers().optional(), embedding_base64: vectorText().optional() };
const idParams = z.strictObject({ id: idNumeral() });
const page = z.strictObject({
  limit: numeral(1, 200).default(50),
  cursor: numeral(0).default(0),
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

const claimant = () => z.string().min(8).max(100).transform(wellFormed);
const claim = z.strictObject({
  claimant: claimant().describe("A unique name"),
  limit: z.int().min(1).max(200).default(50),
  cursor: z.int().min(0).default(0),
  lease_seconds: z.int().min(5).max(300).default(60).describe("After this, any embedder may take them again"),
  ...identityFields,
  model: identityFields.model.optional().describe("The active one by default"),
});
const release = z.strictObject({ claimant: claimant(), ids: z.array(z.int().positive()).min(1).max(200) });

/**
 * Routes that list memories without a vector, and take vectors that clients computed where the backend has no model.
 */
export function embeddingRoutes(app: FastifyInstance, { engine, clock, embedders }: EmbeddingOptions): void {
  serve(
    app,
    endpoints.pending,
    async (request, reply) => {
      const { limit, cursor } = readFields(page, request.query);
      const store = engine.as(callOf(request, reply));
      const { active } = await store.identities();
      const { memories, remaining } = await store.memories.pending(active, cursor, limit);
      return {
        items: memories.map(({ id, content }) => ({
          id,
          content,
          text_for_embedding: content,
          content_sha1: sha1(content),
        })),
        next_cursor: memories.at(-1)?.id ?? 0,
        remaining,
      };
    },
    { querystring: page },
  );

  serve(
    app,
    endpoints.claimPending,
    async (request, reply) => {
      const { claimant, limit, cursor, lease_seconds, model, ...stated } = readFields(claim, request.body);
      // Only ids are stored as the answer of the idempotency key; the texts are read again.
      const call = writeCallOf(request, reply);
      // The answer contains texts of memories.
      if (!call.caller.scopes.has("read")) throw lacksScope("read");
      const store = engine.as(call);
      const identities = await store.identities();
      const identity =
        model === undefined ? identities.active : readIdentity({ model, ...stated }, acceptedWith(identities));
      const ask = { identity, cursor, limit, leaseMs: lease_seconds * 1000, claimant };
      const { items, remaining } = await pendingQueue(store, clock).claim(ask);
      return {
        items: items.map(({ id, text, contentSha1 }) => ({
          id,
          text_for_embedding: text,
          content_sha1: contentSha1,
        })),
        remaining,
      };
    },
    { body: claim },
  );

  serve(
    app,
    endpoints.releasePending,
    async (request, reply) => {
      const { claimant, ids } = readFields(release, request.body);
      await pendingQueue(engine.as(callOf(request, reply)), clock).release(claimant, ids);
      return { ok: true as const };
    },
    { body: release },
  );

  serve(
    app,
    endpoints.pushEmbedding,
    async (request, reply) => {
      const { id } = readFields(idParams, request.params);
      const { content_sha1: contentSha1, ...pushed } = readFields(one, request.body);
      const call = callOf(request, reply);
      const store = engine.as(call);
      const identities = await store.identities();
      const identity = readIdentity(pushed, acceptedWith(identities));
      const push = { id, contentSha1, vector: vectorOf(pushed, identity.dimensions) };
      const [result] = await pushVectors(store, identity, [push]);
      if (result?.error) throw withoutStoredText(result.error, call.caller);
      if (!isSameIdentity(identity, identities.active)) await embedPushed(store, embedders, clock, id);
      const updatedAt = new Date().toISOString();
      return { id, embedding_status: "ok" as const, embedding_model: identity.model, updated_at: updatedAt };
    },
    { params: idParams, body: one },
  );

  serve(
    app,
    endpoints.pushEmbeddings,
    async (request, reply) => {
      const { items, ...stated } = readFields(many, request.body);
      const call = callOf(request, reply);
      const store = engine.as(call);
      const identity = readIdentity(stated, acceptedWith(await store.identities()));
      const pushes = items.map(({ id, content_sha1: contentSha1, ...pushed }) =>
        readPush(id, contentSha1, () => vectorOf(pushed, identity.dimensions)),
      );
      const results = await pushVectors(store, identity, pushes);
      const failed = results.filter(({ error }) => error !== undefined).length;
      return { stored: results.length - failed, failed, results: results.map((each) => present(each, call.caller)) };
    },
    { body: many },
  );
}

const present = ({ id, error }: Pushed, caller: Caller) =>
  error ? { id, ok: false, error: toEnvelope(withoutStoredText(error, caller)).error } : { id, ok: true };

/** Removes a memory's present text from the refusal for a caller that may not read it. */
function withoutStoredText(error: ChestError, { scopes }: Pick<Caller, "scopes">): ChestError {
  if (error.code !== "CONTENT_CHANGED" || scopes.has("read")) return error;
  return new ChestError(error.code, error.message, {
    hint: "a token with `read` is told the new words, to embed them instead",
    details: { id: error.details?.id },
  });
}
