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
import { defineOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import { wellFormed } from "@chest/core/text";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { NO_HEADERS, serveOperation } from "./define-route.ts";

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

const listPending = defineOperation({
  endpoint: endpoints.pending,
  query: page,
  async run({ query: { limit, cursor } }, { store }) {
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
});

// Only ids are stored as the answer of the idempotency key; the texts are read again.
const claimPending = defineOperation({
  endpoint: endpoints.claimPending,
  body: claim,
  async run({ body: { claimant, limit, cursor, lease_seconds, model, ...stated } }, { store, clock, caller }) {
    // The answer contains texts of memories.
    if (!caller.scopes.has("read")) throw lacksScope("read");
    const identities = await store.identities();
    const identity =
      model === undefined ? identities.active : readIdentity({ model, ...stated }, acceptedWith(identities));
    const ask = { identity, cursor, limit, leaseMs: lease_seconds * 1000, claimant };
    const { items, remaining } = await pendingQueue(store, clock).claim(ask);
    return {
      items: items.map(({ id, text, contentSha1 }) => ({ id, text_for_embedding: text, content_sha1: contentSha1 })),
      remaining,
    };
  },
});

const releasePending = defineOperation({
  endpoint: endpoints.releasePending,
  body: release,
  async run({ body: { claimant, ids } }, { store, clock }) {
    await pendingQueue(store, clock).release(claimant, ids);
    return { ok: true as const };
  },
});

const pushEmbedding = defineOperation({
  endpoint: endpoints.pushEmbedding,
  params: idParams,
  body: one,
  async run({ params: { id }, body: { content_sha1: contentSha1, ...pushed } }, ports) {
    const { store, embedders, clock, caller } = ports;
    const identities = await store.identities();
    const identity = readIdentity(pushed, acceptedWith(identities));
    const push = { id, contentSha1, vector: vectorOf(pushed, identity.dimensions) };
    const [result] = await pushVectors(store, identity, [push]);
    if (result?.error) throw withoutStoredText(result.error, caller);
    if (!isSameIdentity(identity, identities.active)) await embedPushed(store, embedders, clock, id);
    const updatedAt = new Date().toISOString();
    return { id, embedding_status: "ok" as const, embedding_model: identity.model, updated_at: updatedAt };
  },
});

const pushEmbeddings = defineOperation({
  endpoint: endpoints.pushEmbeddings,
  body: many,
  async run({ body: { items, ...stated } }, { store, caller }) {
    const identity = readIdentity(stated, acceptedWith(await store.identities()));
    const pushes = items.map(({ id, content_sha1: contentSha1, ...pushed }) =>
      readPush(id, contentSha1, () => vectorOf(pushed, identity.dimensions)),
    );
    const results = await pushVectors(store, identity, pushes);
    const failed = results.filter(({ error }) => error !== undefined).length;
    return { stored: results.length - failed, failed, results: results.map((each) => present(each, caller)) };
  },
});

/**
 * Routes that list memories without a vector, and take vectors that clients computed where the backend has no model.
 */
export function embeddingRoutes(app: FastifyInstance, pipeline: Pick<Pipeline, "answer">): void {
  serveOperation(app, pipeline, listPending, NO_HEADERS);
  serveOperation(app, pipeline, claimPending, NO_HEADERS);
  serveOperation(app, pipeline, releasePending, NO_HEADERS);
  serveOperation(app, pipeline, pushEmbedding, NO_HEADERS);
  serveOperation(app, pipeline, pushEmbeddings, NO_HEADERS);
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
