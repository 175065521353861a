import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { commandForms } from "@chest/runtime/shell-words";
import type { Check } from "../check.ts";
import type { InspectedClient } from "./target.ts";

export const localStore: Check<InspectedClient> = {
  id: "client.local.db",
  title: "the store on this machine can be used",
  async run({ remote, dbPath }) {
    if (remote) return { status: "skip", message: "remote mode: the store is the backend's" };
    const folder = dirname(dbPath);
    if (existsSync(dbPath) && (!statSync(dbPath).isFile() || statSync(dbPath).size === 0)) {
      return {
        status: "fail",
        message: `\`${dbPath}\` is ${statSync(dbPath).isFile() ? "empty" : "no file"}`,
        fix: `${commandForms().showing(dbPath)}; chest-index backup --list`,
      };
    }
    if (!existsSync(folder)) return { status: "ok", message: `the first memory makes \`${dbPath}\`` };
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      if (existsSync(dbPath)) accessSync(dbPath, constants.R_OK | constants.W_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EROFS")
        return {
          status: "fail",
          message: `\`${folder}\` lies on a file system that is mounted read-only`,
          fix: commandForms().fileSystemOf(folder),
        };
      return {
        status: "fail",
        message: `\`${dbPath}\` cannot be written by this account`,
        fix: commandForms().takingOver(folder),
      };
    }
    return { status: "ok", message: existsSync(dbPath) ? dbPath : `the first memory makes \`${dbPath}\`` };
  },
};
