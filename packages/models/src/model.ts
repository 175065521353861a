import type { PreTrainedModel, PreTrainedTokenizer, Tensor } from "@huggingface/transformers";
import type { HubStart } from "./protocol.ts";

/** A text, or a pair of them, as the model reads it. */
export interface Tokens {
  readonly ids: readonly number[];
  /** Which of a pair each of them belongs to; undefined where the model does not ask. */
  readonly types: readonly number[] | undefined;
  readonly isCut: boolean;
}

/** A model in memory. */
export interface LoadedModel {
  /** Numbers for each text. */
  readonly width: number;
  tokenize(text: string, query: string | undefined): Tokens;
  /** Tells whether a text may be computed in a pause of others; undefined where a model has no pauses. */
  isBrief?(text: string): boolean;
  /** Computes the numbers of each text. In its pauses the thread takes messages, and a brief text goes first. */
  compute(batch: readonly Tokens[]): AsyncGenerator<void, readonly Float32Array[]>;
}

/** Upper bound for the average length of tokens in a text; text beyond the model's limit is not tokenised. */
const CHARACTERS_PER_TOKEN = 16;
/** Most characters of a question that is scored with a text, so that room is left for the text. */
const MAX_QUERY_CHARACTERS = 400;
const ERRORS_ONLY = 3;

/** Reads a model from its files; nothing is ever asked of a network. The one place that loads transformers.js. */
export async function loadModel({ modelsDir, spec, task, cores }: HubStart): Promise<LoadedModel> {
  const library = await import("@huggingface/transformers");
  const { AutoTokenizer, AutoModel, AutoModelForSequenceClassification, env } = library;
  env.allowRemoteModels = false;
  env.localModelPath = modelsDir;
  env.useFSCache = false;
  env.logLevel = library.LogLevel.ERROR;
  const session_options = { intraOpNumThreads: cores, interOpNumThreads: 1, logSeverityLevel: ERRORS_ONLY } as const;
  const Model = task.kind === "embed" ? AutoModel : AutoModelForSequenceClassification;
  const [tokenizer, model] = await Promise.all([
    AutoTokenizer.from_pretrained(spec.id),
    Model.from_pretrained(spec.id, { dtype: spec.dtype, device: "cpu", session_options }),
  ]);

  const run = async (batch: readonly Tokens[]): Promise<Tensor> => {
    const length = Math.max(...batch.map(({ ids }) => ids.length));
    const inputs = paddedInputs(batch, length, tokenizer.pad_token_id ?? 0);
    const shape = [batch.length, length];
    const tensors = Object.entries(inputs).map(([name, values]) => [name, new library.Tensor("int64", values, shape)]);
    const outputs = await model(Object.fromEntries(tensors));
    return outputs.last_hidden_state ?? outputs.logits ?? outputs.token_embeddings;
  };
  const tokenize = (text: string, query: string | undefined) => tokensOf(tokenizer, text, query, spec.maxTokens);

  if (task.kind === "score") {
    const scores = async (batch: readonly Tokens[]) => rowsOf(await run(batch), batch.length, 1);
    await assertUsable(model, () => scores([tokenize("a", "a")]));
    return { width: 1, tokenize, compute: withoutPauses(scores) };
  }
  const { dimensions, pooling } = task;
  const pool = pooling === "cls" ? firstPlace : meanOf;
  const vectors = async (batch: readonly Tokens[]) => {
    const hidden = await run(batch);
    const actual = hidden.dims.at(-1);
    if (actual !== dimensions) throw new Error(`${spec.id} makes ${actual} numbers, and not ${dimensions}`);
    const places = rowsOf(hidden, batch.length, (hidden.dims[1] ?? 0) * dimensions);
    return batch.map(({ ids }, at) => normalised(pool(places[at] as Float32Array, ids.length, dimensions)));
  };
  await assertUsable(model, () => vectors([tokenize("a", undefined)]));
  return { width: dimensions, tokenize, compute: withoutPauses(vectors) };
}

/** The runtime computes a batch as a whole. */
function withoutPauses(
  compute: (batch: readonly Tokens[]) => Promise<readonly Float32Array[]>,
): LoadedModel["compute"] {
  // biome-ignore lint/correctness/useYield: a batch is one step.
  return async function* (batch) {
    return compute(batch);
  };
}

/** A model that cannot compute should fail now rather than at the first question. */
async function assertUsable(model: PreTrainedModel, tryIt: () => Promise<unknown>): Promise<void> {
  try {
    await tryIt();
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

function tokensOf(tokenizer: PreTrainedTokenizer, text: string, query: string | undefined, max: number): Tokens {
  const head = text.slice(0, max * CHARACTERS_PER_TOKEN);
  const options = { truncation: false, padding: false, return_tensor: false } as const;
  const { input_ids, token_type_ids } =
    query === undefined
      ? tokenizer(head, options)
      : tokenizer(query.slice(0, MAX_QUERY_CHARACTERS), { ...options, text_pair: head });
  const types = query === undefined ? undefined : (token_type_ids as number[] | undefined);
  const ids = input_ids as number[];
  if (ids.length <= max) return { ids, types, isCut: head.length < text.length };
  // The end mark of a text is kept: models expect it.
  const cut = (all: readonly number[]) => [...all.slice(0, max - 1), ...all.slice(-1)];
  return { ids: cut(ids), types: types && cut(types), isCut: true };
}

function paddedInputs(batch: readonly Tokens[], length: number, pad: number) {
  const input_ids = new BigInt64Array(batch.length * length).fill(BigInt(pad));
  const attention_mask = new BigInt64Array(batch.length * length);
  const token_type_ids = new BigInt64Array(batch.length * length);
  for (const [row, { ids, types }] of batch.entries()) {
    input_ids.set(ids.map(BigInt), row * length);
    attention_mask.fill(1n, row * length, row * length + ids.length);
    if (types) token_type_ids.set(types.map(BigInt), row * length);
  }
  const hasTypes = batch.some(({ types }) => types !== undefined);
  return { input_ids, attention_mask, ...(hasTypes ? { token_type_ids } : {}) };
}

function rowsOf({ data }: Tensor, rows: number, width: number): Float32Array[] {
  const numbers = data as Float32Array;
  if (numbers.length !== rows * width) throw new Error(`${numbers.length} numbers for ${rows} rows of ${width}`);
  return Array.from({ length: rows }, (_, row) => numbers.subarray(row * width, (row + 1) * width));
}

const firstPlace = (places: Float32Array, _length: number, dimensions: number) => places.slice(0, dimensions);

function meanOf(places: Float32Array, length: number, dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (let place = 0; place < length; place++) {
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (places[place * dimensions + i] ?? 0);
  }
  return sum.map((x) => x / length);
}

function normalised(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  if (!Number.isFinite(norm) || norm === 0) throw new Error("the model made a vector of no length");
  return vector.map((x) => x / norm);
}
