import { seeded } from "../../support/random.ts";

const CLUSTERS = 2000;
/** Number of directions along which vectors of a cluster differ from its centre, as real texts differ in few ways. */
const DIRECTIONS = 64;
const AT_ONCE = 8;
const [ALONG, NOISE, OFFSET] = [0.45, 0.25, 0.35];

/**
 * Generates vectors like a model's, always the same: in clusters, along few directions, off the origin, of length one.
 */
export class Clusters {
  readonly #dimensions: number;
  readonly #offset: Float32Array;
  readonly #centres: readonly Float32Array[];
  readonly #directions: readonly Float32Array[];

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    const random = seeded(11);
    const some = (count: number) => Array.from({ length: count }, () => this.#noise(random));
    this.#centres = some(CLUSTERS);
    this.#directions = some(DIRECTIONS);
    this.#offset = this.#noise(random);
  }

  /** @param random chooses the cluster and everything else. */
  vector(random: () => number): Float32Array {
    const vector = this.#noise(random);
    const centre = this.#centres[Math.floor(random() * CLUSTERS)] as Float32Array;
    for (let i = 0; i < vector.length; i++)
      vector[i] = NOISE * (vector[i] as number) + (centre[i] as number) + OFFSET * (this.#offset[i] as number);
    for (let each = 0; each < AT_ONCE; each++) {
      const direction = this.#directions[Math.floor(random() * DIRECTIONS)] as Float32Array;
      const far = ALONG * 2 * (random() + random() - 1);
      for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) + far * (direction[i] as number);
    }
    let sum = 0;
    for (const x of vector) sum += x * x;
    const norm = Math.sqrt(sum);
    for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / norm;
    return vector;
  }

  #noise(random: () => number): Float32Array {
    const vector = new Float32Array(this.#dimensions);
    for (let i = 0; i < vector.length; i++) vector[i] = 2 * (random() + random() - 1);
    return vector;
  }
}
