import { TIME_LIMITS } from "@chest/contracts";
import { DEFAULT_LIMITS } from "@chest/core/tool";
import { ConfigError, type Env, intInRange, limitVariables, MAINTENANCE_VARIABLES, readEnv } from "@chest/runtime";

/** Limits of commands, which programs beside an agent and backends read by the same rules. */
export const LIMIT_VARIABLES = {
  ...limitVariables(DEFAULT_LIMITS),
  CHEST_REMOTE_TIMEOUT_MS: intInRange(1_000, 200_000).default(TIME_LIMITS.call),
};

const NUMBERS = { ...LIMIT_VARIABLES, ...MAINTENANCE_VARIABLES };

/** Warns of numbers outside their range, which are ignored or replaced by the nearest one inside. */
export function oddNumbers(env: Env): readonly string[] {
  const numbers = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, env[name]]));
  try {
    return readEnv(NUMBERS, numbers).warnings;
  } catch (error) {
    if (error instanceof ConfigError) return []; // The command that reads it says so.
    throw error;
  }
}
