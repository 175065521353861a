import { KNOWN_IDENTITIES } from "@chest/core/embedding";
import type { EmbeddingIdentity } from "@chest/core/ports";
import { type EmbeddingSpec, filesOf, type ModelFile, type ModelSpec } from "./spec.ts";

type Details = Pick<EmbeddingSpec, "maxTokens" | "queryPrefix" | "passagePrefix" | "centres"> & {
  readonly files: readonly ModelFile[];
};

const NO_PREFIX = { queryPrefix: "", passagePrefix: "" };

/** Sizes and checksums of the files at the pinned commits, in the order of `filesOf`. */
const DETAILS: Readonly<Record<string, Details>> = {
  "Xenova/bge-m3": {
    ...NO_PREFIX,
    // The model accepts 8,192 tokens, but attention grows with the square of the length: that would be 4 GB for one
    // text.
    maxTokens: 2048,
    files: pinned(
      [770, "734a79bf12d388c1467a4e3ab625f45de7f6906cffcfb93a1eca1787504bed95"],
      [17_082_821, "6710678b12670bc442b99edc952c4d996ae309a7020c1fa0096dd245c2faf790"],
      [1173, "7e4c1cc848840aeccdd763458c18dd525eb0f795c992e00ebe9c28554e7db2d4"],
      [569_694_530, "0826f8c1ab9edf1801db86c61919d4d108e8bfc0b809ec823ad366882ff0b77d"],
    ),
  },
  "Xenova/multilingual-e5-small": {
    queryPrefix: "query: ",
    passagePrefix: "passage: ",
    centres: "e5-small",
    maxTokens: 512,
    files: pinned(
      [undefined, "cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1"],
      [17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"],
      [undefined, "a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b"],
      [118_308_185, "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193"],
    ),
  },
  "Xenova/all-MiniLM-L6-v2": {
    ...NO_PREFIX,
    maxTokens: 512,
    files: pinned(
      [650, "7135149f7cffa1a573466c6e4d8423ed73b62fd2332c575bf738a0d033f70df7"],
      [711_661, "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"],
      [366, "9261e7d79b44c8195c1cada2b453e55b00aeb81e907a6664974b4d7776172ab3"],
      [22_972_370, "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"],
    ),
  },
};

const [first, ...others] = KNOWN_IDENTITIES;
/** Models that embed without further words; the first is fetched by default. */
export const KNOWN_EMBEDDERS: readonly [EmbeddingSpec, ...EmbeddingSpec[]] = [
  described(first),
  ...others.map(described),
];

function described(identity: EmbeddingIdentity): EmbeddingSpec {
  const { model: id, dimensions, pooling } = identity;
  const [revision = "", variant] = identity.revision.split("+");
  const details = DETAILS[id];
  if (!details || (pooling !== "cls" && pooling !== "mean")) throw new Error(`${id} is not described`);
  return { id, revision, dimensions, pooling, dtype: "q8", ...details, ...(variant === undefined ? {} : { variant }) };
}

/** Known models as releases before ran them: a store may hold vectors of theirs. */
export const FORMER_EMBEDDERS: readonly EmbeddingSpec[] = KNOWN_EMBEDDERS.filter(({ centres }) => centres).map(
  ({ centres: _, variant: __, ...spec }) => spec,
);

/** Cross-encoders that rerank without further words; the first is the default. */
export const KNOWN_RERANKERS: readonly [ModelSpec, ...ModelSpec[]] = [
  {
    id: "onnx-community/bge-reranker-v2-m3-ONNX",
    revision: "6f5ff65298512715a1e669753bc754d2bc8f367b",
    dtype: "q8",
    maxTokens: 512,
    files: pinned(
      [undefined, "122e922dcfed6503c8721e6fe1daf090340c3d95ca7f3aa3a72730b321a51cfd"],
      [17_082_900, "8bf8afbfd11306bd872018c53bfdf2e160a56f8edbcf49933324404791c148d3"],
      [1203, "b87c8703482b0300d3da30e201519aa641f6a450f5eb5bf1e624afbf70c74d80"],
      [570_727_094, "912fc1215c2dbff6499700534bd8d31253af01573861abbfc43afd1fab6cce5d"],
    ),
  },
  {
    id: "Xenova/ms-marco-MiniLM-L-6-v2",
    revision: "a09144355adeed5f58c8ed011d209bf8ee5a1fec",
    dtype: "q8",
    maxTokens: 512,
    files: pinned(
      [undefined, "d827779a72d27ae68cf878a6fc2e954542663fe21ca515d9f4783fc96be2d37e"],
      [711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"],
      [undefined, "0b29c7bfc889e53b36d9dd3e686dd4300f6525110eaa98c76a5dafceb2029f53"],
      [23_143_499, "e9d8ebf845c413e981c175bfe49a3bfa9b3dcce2a3ba54875ee5df5a58639fbe"],
    ),
  },
];

function pinned(...figures: readonly (readonly [number | undefined, string])[]): readonly ModelFile[] {
  return filesOf("q8").map(({ path }, at) => {
    const [bytes, sha256] = figures[at] ?? [];
    return { path, ...(bytes === undefined ? {} : { bytes }), ...(sha256 === undefined ? {} : { sha256 }) };
  });
}
