/** Bytes a body may have, by kind of route. The proxy's examples are written from the same numbers. */
export const BODY_LIMITS = {
  tool: 1_048_576,
  mcp: 1_048_576,
  /** One vector, as numbers. */
  embedding: 262_144,
  embeddings: 8_388_608,
  /** A whole transcript. */
  sessionSync: 52_428_800,
  /** A hook's question, and any other short body. */
  hook: 65_536,
} as const;

/** Tokens shorter than this do not start a backend. */
export const MIN_TOKEN_LENGTH = 32;

/**
 * Longest times, in milliseconds, from the innermost to the outermost: each is longer than what it contains, so that a
 * late part answers with its own words before what is around it gives up. docs/design/time-limits.md has the table.
 */
export const TIME_LIMITS = {
  /** One request to an identity provider, of at most four in a row. */
  identityProvider: 10_000,
  /** One question to a language model, with the wait for its turn. */
  model: 20_000,
  /** The backend's answer, from when it has read the request. */
  answer: 50_000,
  /** Time limit for the few routes whose work grows with the store or with the request. */
  longAnswer: 120_000,
  /** Silence of the backend that a proxy accepts. */
  proxy: 60_000,
  longProxy: 130_000,
  /** One call of a client, with its retries. */
  call: 65_000,
  longCall: 135_000,
} as const;
