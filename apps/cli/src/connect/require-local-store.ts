import { StartError } from "@chest/runtime";
import type { Config } from "./config.ts";

/** For commands that act on the file alone: where the settings name a backend, says where its file is to be found. */
export function atStoreFile(command: string, config: Config): Config {
  if (config.remote === undefined) return config;
  throw new StartError(
    `\`${command}\` acts on a store's file, but CHEST_MODE=remote names a backend`,
    `on that file's machine: \`CHEST_MODE=local chest-index …\`; in a container: \`docker compose exec chest chest-index …\``,
  );
}
