import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import type { Embedder, EmbeddingIdentity } from "@chest/core/ports";
import { centredEmbedder, identityOf, KNOWN_EMBEDDERS, openSentenceEmbedder, readCentring } from "@chest/models";
import { openEmbedder, readEmbedder } from "../load/libraries.ts";
import { ROOT } from "../support/process.ts";

/** Source of the vectors for texts and questions. */
export interface Vectors {
  /** Used in file names. */
  readonly name: string;
  readonly identity: EmbeddingIdentity;
  readonly embedder: Embedder;
  /** Embeds questions before they are asked: recall does not wait long for a slow model. */
  readonly prepare?: (questions: readonly string[]) => Promise<void>;
}

/** The sentence model that comes with the product. */
export const vectorsOfBuiltin = (): Vectors => ({
  name: `builtin-${BUILTIN_IDENTITY.revision}`,
  identity: BUILTIN_IDENTITY,
  embedder: openSentenceEmbedder(),
});

/**
 * Opens the model that `CHEST_MODELS_DIR` and `CHEST_EMBED_*` name, as for the backend.
 * @param as model whose name and scale of cosines the vectors get; by default the model itself
 */
export async function vectorsOfModel(env: NodeJS.ProcessEnv, as?: string): Promise<Vectors> {
  const modelsDir = env.CHEST_MODELS_DIR;
  if (!modelsDir) throw new Error("CHEST_MODELS_DIR says where the model is, and is not set");
  const named = Object.entries(env).filter(([name]) => name.startsWith("CHEST_EMBED_"));
  const choice = readEmbedder(
    Object.fromEntries(named.map(([name, value]) => [name, isCount(value) ? Number(value) : value])),
  );
  if (typeof choice === "string") throw new Error(choice);
  if (!choice.model) throw new Error("CHEST_EMBED_MODEL names the model, and is not set");
  const embedder = openEmbedder(choice.model, { modelsDir });
  const state = await embedder.state();
  if (!state.isUsable || !embedder.identity)
    throw new Error(state.isUsable ? "the model has no identity" : `${state.message}; ${state.hint}`);
  const identity = { ...embedder.identity, model: as ?? embedder.identity.model };
  return { name: embedder.identity.model.replaceAll(/[^\w-]/g, "_"), identity, embedder: { ...embedder, identity } };
}

const isCount = (value: string | undefined): boolean => /^\d+$/.test(value ?? "");

const SERVED_AT_ONCE = 16;

/**
 * Vectors of a server that speaks OpenAI's embeddings API, with `input_type` `query` or `passage`. Each text is asked
 * for once, and its vector kept below `node_modules`. `served` gives the vectors as they came.
 * @param as known model whose name and scale of cosines the vectors get
 */
export async function vectorsOfServer(url: string, as: string): Promise<Vectors & { readonly served: Embedder }> {
  const [example] = await ask(url, as, "query", ["example"]);
  const dimensions = example?.length ?? 0;
  const spec = KNOWN_EMBEDDERS.find(({ id }) => id === as);
  const identity = spec ? identityOf(spec) : { model: as, revision: "served", dimensions, pooling: "mean" };
  const name = `served-${as.replaceAll(/[^\w-]/g, "_")}`;
  const texts = keptIn(join(ROOT, "node_modules/.chest/eval-vectors", `${name}.jsonl`));

  async function embed(kind: "query" | "passage", all: readonly string[]): Promise<Float32Array[]> {
    const missing = [...new Set(all.filter((text) => !texts.has(kind, text)))];
    for (let at = 0; at < missing.length; at += SERVED_AT_ONCE) {
      const some = missing.slice(at, at + SERVED_AT_ONCE);
      for (const [i, vector] of (await ask(url, as, kind, some)).entries()) texts.keep(kind, some[i] as string, vector);
    }
    return all.map((text) => texts.get(kind, text));
  }

  const embedder: Embedder = {
    identity,
    state: async () => ({ isUsable: true }),
    embedQuery: async (text) => (await embed("query", [text]))[0],
    embedPassages: async (all) => (await embed("passage", all)).map((vector) => ({ vector, isCut: false })),
    close: async () => undefined,
  };
  return {
    name,
    identity,
    served: embedder,
    embedder: spec?.centres ? centredEmbedder(embedder, readCentring(spec.centres, dimensions)) : embedder,
    prepare: async (questions) => void (await embed("query", questions)),
  };
}

async function ask(url: string, model: string, kind: string, input: readonly string[]): Promise<Float32Array[]> {
  const answer = await fetch(`${url.replace(/\/$/, "")}/v1/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, input, input_type: kind }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
  const { data } = (await answer.json()) as { data: readonly { readonly embedding: readonly number[] }[] };
  return data.map(({ embedding }) => Float32Array.from(embedding));
}

/** Vectors by kind and text, kept in a file of one line each. */
function keptIn(file: string) {
  const keyOf = (kind: string, text: string) => createHash("sha1").update(`${kind}: ${text}`).digest("hex");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  const known = new Map(lines.map((line) => line.split(" ") as [string, string]));
  mkdirSync(join(file, ".."), { recursive: true });
  return {
    has: (kind: string, text: string) => known.has(keyOf(kind, text)),
    get(kind: string, text: string): Float32Array {
      const bytes = Buffer.from(known.get(keyOf(kind, text)) ?? "", "base64");
      return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    },
    keep(kind: string, text: string, vector: Float32Array): void {
      const base64 = Buffer.from(vector.buffer).toString("base64");
      known.set(keyOf(kind, text), base64);
      appendFileSync(file, `${keyOf(kind, text)} ${base64}\n`);
    },
  };
}
