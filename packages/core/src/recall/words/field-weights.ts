/** Weights of an occurrence by field. Each is a multiple of a half: frequencies are kept in halves. */
export const FIELD_WEIGHTS = { title: 2, tags: 1.5, words: 1, grams: 0.5 } as const;

const MOST = 255;

/** A weighted frequency in one byte. */
export const packed = (frequency: number): number => Math.min(MOST, Math.round(2 * frequency));
export const unpacked = (impact: number): number => impact / 2;

/** A term by its kind: grams and words stand in columns of their own, titles and tags hold both. */
export const keyOf = (text: string, isGram: boolean): string => (isGram ? "g" : "w") + text;
