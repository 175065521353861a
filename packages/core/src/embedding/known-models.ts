import { ChestError } from "@chest/contracts";
import { z } from "zod";
import type { EmbeddingIdentity } from "../ports/embedder.ts";
import type { Identities } from "../ports/identities.ts";

/** Identities whose vectors the store accepts, the active one first. */
export type Accepted = readonly [EmbeddingIdentity, ...EmbeddingIdentity[]];

/**
 * Identity of the sentence model that comes with Chest, the default of a store. Another model file gets a new revision.
 */
export const BUILTIN_IDENTITY: EmbeddingIdentity = {
  model: "builtin/sentences",
  revision: "1",
  dimensions: 512,
  pooling: "mean",
};

/** Identity of the term table that comes with Chest; a new table gets a new revision. */
export const TABLE_IDENTITY: EmbeddingIdentity = {
  model: "builtin/terms",
  revision: "2",
  dimensions: 192,
  pooling: "sum",
};

/**
 * Whether these vectors come from the term table of an earlier release: questions can no longer be embedded with it.
 */
export const isOfEarlierTable = ({ model, revision }: EmbeddingIdentity): boolean =>
  model === TABLE_IDENTITY.model && Number(revision) < Number(TABLE_IDENTITY.revision);

/** Whether the vectors come from a model that ships with Chest, so that nothing is downloaded. */
export const isBuiltin = ({ model }: Pick<EmbeddingIdentity, "model">): boolean =>
  model === BUILTIN_IDENTITY.model || model === TABLE_IDENTITY.model;

/**
 * Whether a store should move from the term table to the sentence model: no other model was configured. Questions use
 * the table until the new vectors cover the store.
 */
export const outgrowsTable = ({ active, next }: Identities, configured: EmbeddingIdentity): boolean =>
  !next && isSameIdentity(active, TABLE_IDENTITY) && isSameIdentity(configured, BUILTIN_IDENTITY);

/**
 * Models that can be downloaded and whose vectors need no extra settings, each at a fixed commit; the first is the
 * default.
 */
export const KNOWN_IDENTITIES: Accepted = [
  { model: "Xenova/bge-m3", revision: "4de13258303883538bd53b696b452bf8099f0858", dimensions: 1024, pooling: "cls" },
  {
    model: "Xenova/multilingual-e5-small",
    // Its vectors are centred by language since this variant.
    revision: "761b726dd34fb83930e26aab4e9ac3899aa1fa78+centred-1",
    dimensions: 384,
    pooling: "mean",
  },
  {
    model: "Xenova/all-MiniLM-L6-v2",
    revision: "751bff37182d3f1213fa05d7196b954e230abad9",
    dimensions: 384,
    pooling: "mean",
  },
];

/** Short names of models; the first two come from 1.5. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bge-m3", "Xenova/bge-m3"],
  ["local", "Xenova/multilingual-e5-small"],
  ["builtin", BUILTIN_IDENTITY.model],
]);

/** Full id of a model, from its id or its short name. */
export const modelOf = (input: string): string => ALIASES.get(input) ?? input;

/** Identity of a vector as the caller states it; missing parts are completed from the named model. */
export interface StatedIdentity {
  readonly model: string;
  readonly revision?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly pooling?: string | undefined;
}

/**
 * The accepted identity that the caller means; throws `INVALID_INPUT` with the list of accepted identities if there is
 * none.
 */
export function readIdentity(stated: StatedIdentity, accepted: readonly EmbeddingIdentity[]): EmbeddingIdentity {
  const model = modelOf(stated.model);
  const meant = accepted.find(
    (identity) =>
      identity.model === model &&
      (stated.revision === undefined || identity.revision === stated.revision) &&
      (stated.dimensions === undefined || identity.dimensions === stated.dimensions) &&
      (stated.pooling === undefined || identity.pooling === stated.pooling),
  );
  if (meant) return meant;
  throw new ChestError("INVALID_INPUT", `model: this backend takes no vectors of \`${stated.model.slice(0, 100)}\``, {
    hint: "embed with one of the identities in `accepted`",
    details: { field: "model", given: stated.model.slice(0, 100), accepted },
  });
}

/** Lists the identities that a store accepts: the active one first, then the next one, then the known ones. */
export function acceptedWith({ active, next }: Identities): Accepted {
  const others = [
    ...(next ? [next] : []),
    ...[BUILTIN_IDENTITY, TABLE_IDENTITY, ...KNOWN_IDENTITIES].filter((known) => !next || !isSameIdentity(known, next)),
  ];
  return [active, ...others.filter((other) => !isSameIdentity(other, active))];
}

/** Schema fields for the identity of a vector. */
export const identityFields = {
  model: z.string().min(1).max(200),
  revision: z.string().min(1).max(200).optional(),
  pooling: z.string().min(1).max(40).optional(),
};

export const isSameIdentity = (a: EmbeddingIdentity, b: EmbeddingIdentity): boolean =>
  identityParts(a).join("\n") === identityParts(b).join("\n");

/**
 * Whether its cosine shows that two texts say the same. The built-in models rate two texts as equal that differ in a
 * number or a negation, so they serve search but decide nothing about what is stored.
 */
export const tellsTextsApart = (identity: EmbeddingIdentity): boolean => !isBuiltin(identity);

/** All parts of an identity in a fixed order, for comparison and keys. */
export const identityParts = ({ model, revision, dimensions, pooling }: EmbeddingIdentity) =>
  [model, revision, dimensions, pooling] as const;
