import { ChestError } from "@chest/contracts";
import type { EmbeddingIdentity } from "../ports/embedder.ts";

/** The models whose vectors are understood without further words; the first is the default. */
export const KNOWN_IDENTITIES: readonly EmbeddingIdentity[] = [
  { model: "Xenova/bge-m3", revision: "main", dimensions: 1024, pooling: "cls" },
  { model: "Xenova/multilingual-e5-small", revision: "main", dimensions: 384, pooling: "mean" },
  { model: "Xenova/all-MiniLM-L6-v2", revision: "main", dimensions: 384, pooling: "mean" },
];

/** Short names that 1.5 took. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["bge-m3", "Xenova/bge-m3"],
  ["local", "Xenova/multilingual-e5-small"],
]);

/** A model's identity by its id or short name; `INVALID_INPUT` lists the known ones. */
export function knownIdentity(model: string): EmbeddingIdentity {
  const id = ALIASES.get(model) ?? model;
  const known = KNOWN_IDENTITIES.find((identity) => identity.model === id);
  if (known) return known;
  throw new ChestError("INVALID_INPUT", `model: \`${model.slice(0, 100)}\` is not known`, {
    hint: `use one of ${KNOWN_IDENTITIES.map((identity) => identity.model).join(", ")}`,
    details: { field: "model", given: model.slice(0, 100), known: KNOWN_IDENTITIES.map((identity) => identity.model) },
  });
}

/** What a caller says of a vector's maker; what is left out is completed from the model it names. */
export interface StatedIdentity {
  readonly model: string;
  readonly revision?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly pooling?: string | undefined;
}

/** The one of the accepted identities that was meant; `INVALID_INPUT` names them all where there is none. */
export function readIdentity(stated: StatedIdentity, accepted: readonly EmbeddingIdentity[]): EmbeddingIdentity {
  const model = ALIASES.get(stated.model) ?? stated.model;
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

export const isSameIdentity = (a: EmbeddingIdentity, b: EmbeddingIdentity): boolean =>
  a.model === b.model && a.revision === b.revision && a.dimensions === b.dimensions && a.pooling === b.pooling;
