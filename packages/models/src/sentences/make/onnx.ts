import { readFileSync } from "node:fs";
import { all, fieldsOf, firstVarint, text } from "./protobuf.ts";

/** A quantised tensor: whole numbers, and how they become weights. */
export interface Quantised {
  readonly numbers: Uint8Array | Int8Array;
  readonly scale: number;
  readonly zero: number;
}

/** The parts of the model's graph that are carried over. */
export interface Graph {
  quantised(name: string): Quantised;
  floats(name: string): Float32Array;
  /** The file of SentencePiece, which lies in the graph as the attribute of a node. */
  readonly tokenizer: Buffer;
}

const UINT8 = 2;

/** Reads an ONNX file as far as its initializers and its tokenizer go. */
export function readOnnx(path: string): Graph {
  const [graph] = all(readFileSync(path), 7);
  if (!graph) throw new Error("the file holds no graph");
  const tensors = new Map(all(graph, 5).map((tensor) => [text(tensor, 8), tensor]));
  const tensorOf = (name: string) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`the graph has no tensor \`${name}\``);
    return tensor;
  };
  const floats = (name: string) => {
    const tensor = tensorOf(name);
    const bytes = all(tensor, 9)[0] ?? Buffer.concat(all(tensor, 4));
    return new Float32Array(Uint8Array.from(bytes).buffer);
  };
  const zeroOf = (name: string) => {
    const tensor = tensorOf(name);
    const raw = all(tensor, 9)[0];
    if (raw) return typeOf(tensor) === UINT8 ? raw.readUInt8() : raw.readInt8();
    const value = [...fieldsOf(tensor)].find(({ number }) => number === 5)?.value ?? 0;
    return Buffer.isBuffer(value) ? firstVarint(value) : value;
  };
  const tokenizer = all(graph, 1)
    .filter((node) => text(node, 4) === "SentencepieceTokenizer")
    .flatMap((node) => all(node, 5))
    .find((attribute) => text(attribute, 1) === "model");
  const [model] = tokenizer ? all(tokenizer, 4) : [];
  if (!model) throw new Error("the graph has no tokenizer");
  return {
    quantised(name) {
      const tensor = tensorOf(`${name}_quantized`);
      const raw = all(tensor, 9)[0];
      if (!raw) throw new Error(`\`${name}\` has no bytes`);
      const numbers = typeOf(tensor) === UINT8 ? new Uint8Array(raw) : Int8Array.from(new Int8Array(raw));
      return { numbers, scale: floats(`${name}_scale`)[0] as number, zero: zeroOf(`${name}_zero_point`) };
    },
    floats,
    tokenizer: model,
  };
}

const typeOf = (tensor: Buffer) => [...fieldsOf(tensor)].find(({ number }) => number === 2)?.value;
