import { z } from "zod";
import { type Metadata, SOURCE_TYPES } from "../memory/metadata.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import * as field from "./fields.ts";

/** Arguments for the metadata of a memory. */
export const metadataFields = {
  title: field.title().optional(),
  category: field.category().optional(),
  confidence: field.confidence().optional(),
  certainty: field.certainty().optional(),
  source_type: z.enum(SOURCE_TYPES).optional(),
  evidence: field.evidence().optional().describe("What it rests on"),
} as const;

/** State of the repository, which the client reads on the agent's machine. */
export const gitFields = {
  git_commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .meta({ ...field.FROM_CLIENTS, feature: "git-state" }),
  git_branch: field
    .title()
    .min(1)
    .optional()
    .meta({ ...field.FROM_CLIENTS, feature: "git-state" }),
} as const;

type Given = z.output<z.ZodObject<typeof metadataFields & typeof gitFields>>;

/** Cleans a short text for the store. */
export const clean = (text: string): string => redact(wellFormed(text));

/** Cleans texts and removes repeats. */
export const cleanList = (texts: readonly string[] = []): string[] => [...new Set(texts.map(clean))];

/** Reads the given metadata; fields that were not given are absent. An empty title clears the title. */
export function readMetadata(input: Partial<Given>): Partial<Metadata> {
  const { title, category, certainty, confidence, source_type: sourceType, evidence } = input;
  return {
    ...(title === undefined ? {} : { title: clean(title) || undefined }),
    ...(category === undefined ? {} : { category }),
    ...(certainty === undefined ? {} : { certainty }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(sourceType === undefined ? {} : { sourceType }),
    ...(evidence === undefined ? {} : { evidence: cleanList(evidence) }),
    ...(input.git_commit === undefined ? {} : { gitCommit: input.git_commit }),
    ...(input.git_branch === undefined ? {} : { gitBranch: clean(input.git_branch) }),
  };
}
