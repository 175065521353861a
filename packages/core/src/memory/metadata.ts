import type { Layer } from "./layer.ts";

export const CATEGORIES = [
  "architecture",
  "decision",
  "pattern",
  "convention",
  "preference",
  "discovery",
  "bug",
  "dependency",
  "context",
  "feature",
  "refactor",
  "change",
  "todo",
  "conversation",
  "skill",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const CERTAINTIES = ["definite", "likely", "uncertain", "speculative"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Kinds of origin that a caller may state; the store knows others, such as `import`. */
export const SOURCE_TYPES = ["code", "conversation", "manual", "inferred"] as const;

/** Kind of origin of a memory that a language model proposed. */
export const BY_MODEL = "llm";

/** Statements of a memory about itself, beside its content, its place and its layer. */
export interface Metadata {
  /** Undefined if none was set: the beginning of the content is shown instead. */
  readonly title: string | undefined;
  /** Unique in its project; a memory of the same name is an update of this one. */
  readonly name: string | undefined;
  readonly category: Category | undefined;
  /** 0–1. */
  readonly confidence: number;
  readonly certainty: Certainty;
  readonly sourceType: string;
  readonly evidence: readonly string[];
  /** State of the repository that the memory was written in. */
  readonly gitCommit: string | undefined;
  readonly gitBranch: string | undefined;
}

export const DEFAULT_METADATA: Metadata = {
  title: undefined,
  name: undefined,
  category: undefined,
  confidence: 0.8,
  certainty: "likely",
  sourceType: "manual",
  evidence: [],
  gitCommit: undefined,
  gitBranch: undefined,
};

const KEYS = Object.keys(DEFAULT_METADATA) as readonly (keyof Metadata)[];

/** The metadata alone, of a memory. */
export function onlyMetadata(memory: Metadata): Metadata {
  const only: Partial<Record<keyof Metadata, unknown>> = {};
  for (const key of KEYS) only[key] = memory[key];
  return only as Metadata;
}

export const MAX_EVIDENCE = 100;

const LAYER_OF: Readonly<Record<Category, Layer>> = {
  architecture: "learning",
  decision: "learning",
  pattern: "learning",
  convention: "learning",
  preference: "learning",
  discovery: "learning",
  bug: "realize",
  dependency: "context",
  context: "context",
  feature: "implementation",
  refactor: "implementation",
  change: "implementation",
  todo: "implementation",
  conversation: "context",
  skill: "context",
};

/** Layer of a memory of which the category alone is given. */
export const layerOfCategory = (category: Category): Layer => LAYER_OF[category];
