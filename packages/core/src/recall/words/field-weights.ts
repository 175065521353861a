/** Weights of an occurrence by field. Each is a multiple of a half: frequencies are kept in halves. */
export const FIELD_WEIGHTS = { title: 2, tags: 1.5, words: 1, grams: 0.5 } as const;

const MOST = 255;

/** Packs a weighted frequency into one byte. */
export const packed = (frequency: number): number => Math.min(MOST, Math.round(2 * frequency));
export const unpacked = (impact: number): number => impact / 2;

/** Index key of a term. Grams and words have separate columns; titles and tags contain both. */
export const keyOf = (text: string, isGram: boolean): string => (isGram ? "g" : "w") + text;
