import { statfs } from "node:fs/promises";
import { ChestError, endpoints, toEnvelope, WIRE_VERSION } from "@chest/contracts";
import type { Engine } from "@chest/core/ports";
import type { FastifyInstance } from "fastify";
import type { Embedding, EmbeddingHealth } from "../embedding.ts";
import { serve } from "./define-route.ts";

const PATIENCE_MS = 1000;
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

export interface HealthOptions {
  readonly inspect: Pick<Engine["inspect"], "ping" | "assertWritable" | "assertSearchable">;
  /** Undefined where the store uses no disk of this host. */
  readonly dataDir: string | undefined;
  readonly embedding: Pick<Embedding, "describe">;
}

/** Tells whether the backend is alive and can take a write. Load balancers and people call it without a token. */
export function healthRoutes(app: FastifyInstance, { inspect, dataDir, embedding }: HealthOptions): void {
  serve(app, endpoints.healthz, async (_request, reply) => {
    const [db, vectors] = await Promise.all([stateOf(() => inspect.ping()), described(embedding)]);
    return reply.code(db === "ok" ? 200 : 503).send({
      ok: db === "ok",
      wire: WIRE_VERSION,
      version: WIRE_VERSION,
      db,
      embedding: vectors,
      ...(db === "ok" ? {} : unavailable("the database does not answer")),
    });
  });

  serve(app, endpoints.readyz, async (_request, reply) => {
    const [db, writer, search, disk] = await Promise.all([
      stateOf(() => inspect.ping()),
      stateOf(() => inspect.assertWritable()),
      stateOf(() => inspect.assertSearchable()),
      stateOf(() => assertRoom(dataDir)),
    ]);
    const checks = { db, writer, search, disk };
    const failed = Object.entries(checks).flatMap(([name, state]) => (state === "ok" ? [] : [name]));
    const isReady = failed.length === 0;
    return reply
      .code(isReady ? 200 : 503)
      .send({ ok: isReady, checks, ...(isReady ? {} : unavailable(`not ready: ${failed.join(", ")}`)) });
  });
}

/** Describes the embedding model. A backend without a model is healthy too, since words still find memories. */
async function described({ describe }: Pick<Embedding, "describe">): Promise<EmbeddingHealth> {
  try {
    return await describe();
  } catch {
    return { provider: "none", model: null, dim: null }; // The database that knows the model does not answer.
  }
}

async function stateOf(check: () => Promise<void>): Promise<"ok" | "error"> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(() => over.reject(new Error("no answer in time")), PATIENCE_MS);
  try {
    await Promise.race([check(), over.promise]);
    return "ok";
  } catch {
    return "error"; // The reason may contain text of the database, and this route is open to all; `doctor` shows it.
  } finally {
    clearTimeout(timer);
  }
}

/** Fails when the store's disk is full; a database server watches its own disk. */
async function assertRoom(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("the disk is full");
}

function unavailable(message: string) {
  const { error } = toEnvelope(new ChestError("UNAVAILABLE", message, { hint: "check the backend's log" }));
  return { error };
}
