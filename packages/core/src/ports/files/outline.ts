/** A function, class or other section of a file. Lines count from 0; `end` is the line after it. */
export interface Part {
  /** `function`, `class`, `heading` and so on; `block` for a part of no known kind. */
  readonly kind: string;
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Parser for the grammars of some languages. */
export interface Outline {
  /** In file order, possibly with gaps. Undefined for an unknown language, and for a text that does not parse. */
  partsOf(path: string, text: string): Promise<readonly Part[] | undefined>;
}

export const noOutline: Outline = { partsOf: async () => undefined };
