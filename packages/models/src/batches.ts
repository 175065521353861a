import type { LoadedModel, Tokens } from "./model.ts";
import type { Result, Work } from "./protocol.ts";

const MAX_TEXTS = 16;
/**
 * Tokens of a batch, padding included. Attention grows with texts × length²: unbounded batches have taken a machine's
 * memory.
 */
const MAX_TOKENS = 2048;

/** A job in batches of texts of like length, so that little of a batch is padding; each batch is computed up to a pause at a time. */
export class Batches implements Result {
  readonly numbers: Float32Array<ArrayBuffer>;
  readonly cut: number[] = [];
  /** True for one question that may be computed in a pause of another job. */
  readonly isBrief: boolean;
  readonly #model: LoadedModel;
  readonly #work: Work;
  /** Places of texts, the longest last. */
  readonly #left: number[];
  #batch: { readonly places: readonly number[]; readonly steps: ReturnType<LoadedModel["compute"]> } | undefined;

  constructor(work: Work, model: LoadedModel) {
    this.#work = work;
    this.#model = model;
    const [text, ...others] = work.texts;
    this.isBrief = work.isUrgent && others.length === 0 && (model.isBrief?.(text ?? "") ?? false);
    this.numbers = new Float32Array(work.texts.length * model.width);
    this.#left = work.texts.map((_, place) => place).sort((a, b) => this.#lengthOf(a) - this.#lengthOf(b));
  }

  /** True from the first pause of a batch to its end. */
  get isUnderWay(): boolean {
    return this.#batch !== undefined;
  }

  /** Computes as far as the next pause, at most one batch; true when nothing is left. */
  async next(): Promise<boolean> {
    if (!this.#batch && this.#left.length === 0) return true;
    this.#batch ??= this.#take();
    const { places, steps } = this.#batch;
    const { done, value } = await steps.next();
    if (!done) return false;
    this.#batch = undefined;
    for (const [i, place] of places.entries()) this.numbers.set(value[i] ?? [], place * this.#model.width);
    return this.#left.length === 0;
  }

  #take() {
    const places: number[] = [];
    const batch: Tokens[] = [];
    let longest = 0;
    for (let place = this.#left.at(-1); place !== undefined; place = this.#left.at(-1)) {
      const tokens = this.#model.tokenize(this.#work.texts[place] ?? "", this.#work.query);
      longest = Math.max(longest, tokens.ids.length);
      const isFull = batch.length === MAX_TEXTS || longest * (batch.length + 1) > MAX_TOKENS;
      if (isFull && batch.length > 0) break;
      batch.push(tokens);
      places.push(place);
      this.#left.pop();
      if (tokens.isCut) this.cut.push(place);
    }
    return { places, steps: this.#model.compute(batch) };
  }

  #lengthOf(place: number): number {
    return this.#work.texts[place]?.length ?? 0;
  }
}
