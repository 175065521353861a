import { StartError } from "@chest/runtime";
import type { Config } from "./config.ts";

/** Guards commands that need the store's file: if a backend is configured, the error says where that file is. */
export function atStoreFile(command: string, config: Config): Config {
  if (config.remote === undefined) return config;
  throw new StartError(
    `\`${command}\` acts on a store's file, but CHEST_MODE=remote names a backend`,
    `on that file's machine: \`CHEST_MODE=local chest-index …\`; in a container: \`docker compose exec chest chest-index …\``,
  );
}
