/** Token of every backend in these benchmarks. */
export const RIG_TOKEN = `cht_${"a".repeat(48)}`;

/** Settings of the backends: no embedding, no rate limits. */
export const RIG_ENV = {
  CHEST_SYNC_EMBED: "false",
  CHEST_RATE_LIMIT: "0",
  CHEST_RATE_LIMIT_WRITES: "0",
  CHEST_AUTO_MAINTENANCE: "0",
} as const;
