/** One thing that a file consists of. Lines count from 0; `end` is the first line after it. */
export interface Part {
  /** `function`, `class`, `heading` and so on; `block` for what has no kind. */
  readonly kind: string;
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Knows the grammar of some languages. */
export interface Outline {
  /** In the order of the file, gaps between them. Undefined for a language it does not know, and for what does not parse. */
  partsOf(path: string, text: string): Promise<readonly Part[] | undefined>;
}

export const noOutline: Outline = { partsOf: async () => undefined };
