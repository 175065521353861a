import type { Category, Certainty, Metadata } from "../memory/metadata.ts";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/well-formed.ts";

/** Arguments for the metadata of a memory. */
interface MetadataArguments {
  readonly title?: string | undefined;
  readonly category?: Category | undefined;
  readonly certainty?: Certainty | undefined;
  readonly confidence?: number | undefined;
  readonly source_type?: string | undefined;
  readonly evidence?: readonly string[] | undefined;
  readonly git_commit?: string | undefined;
  readonly git_branch?: string | undefined;
}

/** Cleans a short text for the store. */
export const clean = (text: string): string => redact(wellFormed(text));

/** Cleans texts and removes repeats. */
export const cleanList = (texts: readonly string[] = []): string[] => [...new Set(texts.map(clean))];

/** Reads the given metadata; fields that were not given are absent. An empty title clears the title. */
export function readMetadata(given: MetadataArguments): Partial<Metadata> {
  const { title, category, certainty, confidence, source_type: sourceType, evidence } = given;
  return {
    ...(title === undefined ? {} : { title: clean(title) || undefined }),
    ...(category === undefined ? {} : { category }),
    ...(certainty === undefined ? {} : { certainty }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(sourceType === undefined ? {} : { sourceType }),
    ...(evidence === undefined ? {} : { evidence: cleanList(evidence) }),
    ...(given.git_commit === undefined ? {} : { gitCommit: given.git_commit }),
    ...(given.git_branch === undefined ? {} : { gitBranch: clean(given.git_branch) }),
  };
}
