import { basename, dirname } from "node:path";
import { argv } from "node:process";
import type { Env } from "@chest/runtime";
import { dataDirOf } from "@chest/runtime/profile";

/** Data folder from the environment, else the folder in whose `bin` this program was installed. */
export function dataDirFor(env: Env): string {
  const bin = dirname(argv[1] ?? "");
  return !env.CHEST_DATA_DIR && basename(bin) === "bin" ? dirname(bin) : dataDirOf(env);
}
