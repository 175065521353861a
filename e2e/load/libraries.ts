import { createRequire } from "node:module";
import { join } from "node:path";
import type { Embedder, EmbeddingIdentity, Engine } from "@chest/core/ports";
import { ROOT } from "../support/process.ts";

// The floors must use the product's own copies of libraries, so they are loaded from its folders.
const ofServer = createRequire(join(ROOT, "apps/server/package.json"));

interface StoreLibrary {
  openSqliteEngine(options: {
    readonly path: string;
    readonly synchronous?: "FULL" | "NORMAL";
    readonly clock?: { now(): Date };
    readonly active?: EmbeddingIdentity;
    readonly searchThreads?: number;
    readonly searchTimeoutMs?: number;
    readonly writePatienceMs?: number;
    readonly rankedRows?: number | undefined;
  }): Promise<Engine>;
}

interface ModelLibrary {
  /** Reads the embedder that an environment names, or describes the environment's fault. */
  readEmbedder(named: Readonly<Record<string, string | number | undefined>>): { readonly model?: object } | string;
  openEmbedder(spec: object, options: { readonly modelsDir: string }): Embedder;
}

interface HttpApp {
  register(plugin: unknown, options: unknown): PromiseLike<unknown>;
  post(path: string, handler: () => Promise<unknown>): unknown;
  listen(options: { readonly port: number; readonly host: string }): Promise<string>;
}

export const { openSqliteEngine } = ofServer("@chest/store-sqlite") as StoreLibrary;

export const { openPostgresEngine } = ofServer("@chest/store-postgres") as {
  openPostgresEngine(options: {
    readonly url: string;
    readonly clock?: { now(): Date };
    readonly active?: EmbeddingIdentity;
    readonly searchTimeoutMs?: number;
    readonly writePatienceMs?: number;
    readonly rankedRows?: number | undefined;
  }): Promise<Engine>;
};

export const { readEmbedder, openEmbedder } = ofServer("@chest/models") as ModelLibrary;

/** Scans the vector index alone, without the rest of a search. */
export const { openBareScan } = ofServer("@chest/store-sqlite/testing/bare-scan") as {
  openBareScan(rows: number, dimensions: number): () => void;
};

export const openHttpApp = (): HttpApp => (ofServer("fastify") as () => HttpApp)();

export const bearerAuth = (): unknown => ofServer("@fastify/bearer-auth");
