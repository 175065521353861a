import { z } from "zod";

/** How values look once they leave: the small rules of every answer. */

/** Input that was accepted, but partly without effect. */
export type Warning = { readonly reason: string; readonly message: string };

/** Schema of the warnings in an answer. */
export const warnings = z.optional(z.array(z.looseObject({ reason: z.string(), message: z.string() })));

/** Unix seconds. */
export const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export function round(value: number, digits: number): number {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
}

/** Adds a key to an answer only if its list is not empty. */
export const some = <K extends string, T>(key: K, list: readonly T[]): { readonly [P in K]?: T[] } =>
  (list.length > 0 ? { [key]: [...list] } : {}) as { readonly [P in K]?: T[] };
