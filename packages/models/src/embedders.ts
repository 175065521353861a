import { BUILTIN_IDENTITY, isSameIdentity, TABLE_IDENTITY } from "@chest/core/embedding";
import { type Embedder, type EmbedderFor, type EmbeddingIdentity, noEmbedder } from "@chest/core/ports";
import { openBuiltinEmbedder } from "./builtin/embedder.ts";
import { describedEmbedder } from "./description.ts";
import { openEmbedder } from "./embedder.ts";
import type { HubOptions } from "./hub-model.ts";
import { FORMER_EMBEDDERS, KNOWN_EMBEDDERS } from "./known-models.ts";
import type { EmbedderChoice } from "./read-spec.ts";
import { openSentenceEmbedder } from "./sentences/embedder.ts";
import { identityOf } from "./spec.ts";

export interface EmbeddersOptions extends HubOptions {
  /** Path of a sentence model, in place of the one that comes with this version. */
  readonly sentences?: string | undefined;
  /** Path of a term table, in place of the one that comes with this version. */
  readonly table?: string | undefined;
}

export interface Embedders {
  /** Embedders by identity: while a store changes its model, questions still use the earlier one. */
  readonly of: EmbedderFor;
  close(): Promise<void>;
}

/** The sentence model and the table of terms, which come with Chest, for a command that waits for no other. */
export function openOwnEmbedders(): Embedders {
  const [sentences, table] = [openSentenceEmbedder(), openBuiltinEmbedder()];
  return {
    of: (identity) =>
      [sentences, table].find((own) => own.identity && isSameIdentity(own.identity, identity)) ?? noEmbedder,
    close: () => sentences.close(),
  };
}

/** Every model that this machine can run: the two that come with Chest, the one that is named, the known ones, those that describe themselves; none where embedding is off. */
export function openEmbedders({ model, isOff }: EmbedderChoice, options: EmbeddersOptions): Embedders {
  const opened: { readonly identity: EmbeddingIdentity; readonly embedder: Embedder }[] = [];
  const specOf = (identity: EmbeddingIdentity) =>
    [model, ...KNOWN_EMBEDDERS, ...FORMER_EMBEDDERS, describedEmbedder(options.modelsDir, identity.model)].find(
      (spec) => spec && isSameIdentity(identityOf(spec), identity),
    );
  const open = (identity: EmbeddingIdentity): Embedder | undefined => {
    if (isSameIdentity(identity, BUILTIN_IDENTITY)) return openSentenceEmbedder(options, options.sentences);
    if (isSameIdentity(identity, TABLE_IDENTITY)) return openBuiltinEmbedder(options.table);
    const spec = specOf(identity);
    return spec && openEmbedder(spec, options);
  };
  return {
    of(identity) {
      const found = opened.find((other) => isSameIdentity(other.identity, identity));
      if (found) return found.embedder;
      const embedder = isOff ? undefined : open(identity);
      if (!embedder) return noEmbedder;
      opened.push({ identity, embedder });
      return embedder;
    },
    close: async () => void (await Promise.all(opened.map(({ embedder }) => embedder.close()))),
  };
}
