import { StartError } from "@chest/runtime";
import type { Config } from "./config.ts";

/** For commands that act on the file alone: where the settings name a backend, says where its file is to be found. */
export function atStoreFile(command: string, config: Config): Config {
  if (config.remote === undefined) return config;
  throw new StartError(
    `\`${command}\` acts on a store's file, and CHEST_MODE=remote names a backend`,
    `run it where that file is, such as \`docker compose exec chest chest-index ${command} …\`, or with CHEST_MODE=local`,
  );
}
