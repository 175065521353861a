import { createHash } from "node:crypto";
import { BUILTIN_IDENTITY, KNOWN_IDENTITIES, modelOf, TABLE_IDENTITY } from "@chest/core/embedding";
import type { EmbeddingIdentity } from "@chest/core/ports";
import { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from "./known-models.ts";
import { type Dtype, type EmbeddingSpec, filesOf, identityOf, type ModelSpec } from "./spec.ts";

/** A model as an environment names it: an id suffices for a known one, others are described. */
export interface NamedEmbedder {
  readonly CHEST_EMBED_MODEL?: string | undefined;
  readonly CHEST_EMBED_REVISION?: string | undefined;
  readonly CHEST_EMBED_DIMENSIONS?: number | undefined;
  readonly CHEST_EMBED_POOLING?: "cls" | "mean" | undefined;
  readonly CHEST_EMBED_QUERY_PREFIX?: string | undefined;
  readonly CHEST_EMBED_PASSAGE_PREFIX?: string | undefined;
  readonly CHEST_EMBED_DTYPE?: Dtype | undefined;
  readonly CHEST_EMBED_MAX_TOKENS?: number | undefined;
}

const DESCRIBING = [
  "CHEST_EMBED_REVISION",
  "CHEST_EMBED_DIMENSIONS",
  "CHEST_EMBED_POOLING",
  "CHEST_EMBED_QUERY_PREFIX",
  "CHEST_EMBED_PASSAGE_PREFIX",
  "CHEST_EMBED_DTYPE",
  "CHEST_EMBED_MAX_TOKENS",
] as const satisfies readonly (keyof NamedEmbedder)[];

/** The embedder that an environment names. */
export interface EmbedderChoice {
  /** Identity that a store takes on which has no vectors yet. */
  readonly identity: EmbeddingIdentity;
  /** The model that was named; undefined where one that comes with Chest is meant, or nothing. */
  readonly model?: EmbeddingSpec;
  /** Embedding is off here: recall uses words only, unless clients have a model. */
  readonly isOff?: true;
}

/** Turns embedding off. A store without vectors then waits for those of a model that others may have. */
const NONE = "none";

const OFF: EmbedderChoice = { identity: KNOWN_IDENTITIES[0], isOff: true };
/** The one that is used by default, and the table, for a machine that has no memory to spare. */
const BUILTIN: readonly EmbedderChoice[] = [{ identity: BUILTIN_IDENTITY }, { identity: TABLE_IDENTITY }];

/** The embedder that is meant, or what is wrong with its description, by the variable's name. */
export function readEmbedder(named: NamedEmbedder): EmbedderChoice | string {
  const id = modelOf(named.CHEST_EMBED_MODEL ?? BUILTIN_IDENTITY.model);
  const known = KNOWN_EMBEDDERS.find((spec) => spec.id === id);
  const own = id === NONE ? OFF : BUILTIN.find(({ identity }) => identity.model === id);
  if (known || own) {
    const given = DESCRIBING.find((name) => named[name] !== undefined);
    if (given) return `${given}: \`${id}\` is known, and takes no description`;
    return known ? { identity: identityOf(known), model: known } : (own as EmbedderChoice);
  }
  const { CHEST_EMBED_DIMENSIONS: dimensions, CHEST_EMBED_POOLING: pooling } = named;
  if (!isId(id) || dimensions === undefined || pooling === undefined) return unknown(id);
  const spec = {
    id,
    dimensions,
    pooling,
    queryPrefix: named.CHEST_EMBED_QUERY_PREFIX ?? "",
    passagePrefix: named.CHEST_EMBED_PASSAGE_PREFIX ?? "",
    dtype: named.CHEST_EMBED_DTYPE ?? "q8",
    maxTokens: named.CHEST_EMBED_MAX_TOKENS ?? 512,
  };
  const revision = named.CHEST_EMBED_REVISION ?? "main";
  const model = { ...spec, revision, variant: variantOf(spec), files: filesOf(spec.dtype) };
  return { identity: identityOf(model), model };
}

/** Names how a model is run. Only vectors that were made in the same way may be compared. */
function variantOf({ dtype, maxTokens, queryPrefix, passagePrefix }: Omit<EmbeddingSpec, "revision" | "files">) {
  const ways = JSON.stringify([dtype, maxTokens, queryPrefix, passagePrefix]);
  return createHash("sha256").update(ways).digest("hex").slice(0, 8);
}

/** Reads the id of a cross-encoder; a text if it is wrong. An unknown one is run as `q8`, with 512 tokens. */
export function readReranker(id: string): ModelSpec | string {
  const known = KNOWN_RERANKERS.find((spec) => spec.id === id);
  if (known) return known;
  if (!isId(id)) return `CHEST_RERANK_MODEL: \`${id.slice(0, 80)}\` is not an \`organisation/name\``;
  return { id, revision: "main", dtype: "q8", maxTokens: 512, files: filesOf("q8") };
}

/** An organisation and a name, as the hub has them; never a way out of the folder of models. */
const isId = (id: string) => /^[\w-][\w.-]*\/[\w-][\w.-]*$/.test(id);

const unknown = (id: string) =>
  `CHEST_EMBED_MODEL: \`${id.slice(0, 80)}\` is not one of builtin, none, ${KNOWN_EMBEDDERS.map((spec) => spec.id).join(", ")}; ` +
  "another `organisation/name` needs CHEST_EMBED_DIMENSIONS and CHEST_EMBED_POOLING beside it";
