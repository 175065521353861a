/** Bytes a body may have, by kind of route. The proxy's examples are written from the same numbers. */
export const BODY_LIMITS = {
  tool: 1_048_576,
  mcp: 1_048_576,
  /** One vector, as numbers. */
  embedding: 262_144,
  embeddings: 8_388_608,
  /** A whole transcript. */
  sessionSync: 52_428_800,
  hook: 65_536,
} as const;

/** Tokens shorter than this do not start a backend. */
export const MIN_TOKEN_LENGTH = 32;
