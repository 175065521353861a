import { accessSync, constants } from "node:fs";
import { join, parse } from "node:path";
import { commandForms } from "@chest/runtime/shell-words";
import type { Check } from "../check.ts";
import type { InspectedClient } from "./target.ts";

export const workspace: Check<InspectedClient> = {
  id: "client.workspace",
  title: "there is a folder that files may be read from",
  async run({ cwd, home, roots }) {
    if (roots?.join() === "none") return { status: "ok", message: "CHEST_ROOTS=none: no folder is open" };
    const named = roots ?? [];
    const unusable = named.filter((folder) => !isReadable(folder));
    if (unusable.length > 0) {
      return {
        status: "warn",
        message: `CHEST_ROOTS names folders that cannot be opened: ${unusable.join(", ")}`,
        fix: commandForms().showing(...unusable),
      };
    }
    if (named.length > 0) return { status: "ok", message: named.join(", ") };
    if (cwd !== parse(cwd).root && cwd !== home && isReadable(cwd))
      return { status: "ok", message: `the working directory, ${cwd}` };
    return {
      status: "warn",
      message: "the working directory is too broad, and CHEST_ROOTS is not set",
      fix: commandForms().withVariables({ CHEST_ROOTS: join(home, "src") }, "chest-index doctor client"),
    };
  },
};

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
