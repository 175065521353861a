import { z } from "zod";

const counts = z.record(z.string(), z.int().min(0));

const failing = z.object({
  command: z.string(),
  error: z.string(),
  key: z.string(),
  files: z.array(z.string()),
  /** Has its tool's use failed, and not yet gone well. */
  isOpen: z.boolean(),
});

/** What the extraction knows of the lines before: kept with the session, so that only new lines travel. Redacted. */
export const carrySchema = z.object({
  version: z.literal(1),
  cwd: z.string().optional(),
  branch: z.string().optional(),
  /** Milliseconds: the last time stamp that was one. */
  at: z.number().optional(),
  /** What was asked last that was not noise, and the key of that turn. */
  intent: z.object({ text: z.string(), key: z.string() }).optional(),
  first: z.string().optional(),
  prompts: z.int().default(0),
  /** By rule. */
  found: counts,
  /** Edits by path, the busiest fifty. */
  files: counts,
  /** Where each path was last edited: edits in one burst, or for one prompt, are one. */
  bursts: z.record(z.string(), z.object({ key: z.string(), at: z.number() })),
  /** What the agent said before what it does now, and for which prompt. */
  said: z.object({ text: z.string(), intent: z.string().optional() }).optional(),
  errors: z.int().default(0),
  /** Commands that failed, by what they are. */
  failing: z.array(failing),
  /** Commands whose result has not come yet, by the id of their use. */
  running: z.record(z.string(), z.object({ command: z.string(), key: z.string() })),
});
export type Carry = z.infer<typeof carrySchema>;

export const emptyCarry = (): Carry => ({
  ...{ version: 1, prompts: 0, errors: 0 },
  ...{ found: {}, files: {}, bursts: {}, failing: [], running: {} },
});

/** What was kept; from the start where it was not, or is none. */
export function readCarry(text: string | undefined): Carry {
  if (text === undefined) return emptyCarry();
  try {
    return carrySchema.safeParse(JSON.parse(text)).data ?? emptyCarry();
  } catch {
    return emptyCarry(); // The keys of what is found make a second reading harmless.
  }
}
