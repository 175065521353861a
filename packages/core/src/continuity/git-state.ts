import { z } from "zod";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";

const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .transform((text) => redact(wellFormed(text)));

/** State of a repository, as the agent's machine read it; fields that it could not read in time are absent. */
export const gitState = z.strictObject({
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional(),
  branch: line(250).optional(),
  dirty: z.int().min(0).max(1_000_000).optional(),
  changed: z.array(line(300)).max(10).optional(),
  stashes: z.int().min(0).max(10_000).optional(),
});
export type GitState = z.output<typeof gitState>;
