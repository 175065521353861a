import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { loadStores } from "@chest/runtime";
import { commandForms } from "@chest/runtime/shell-words";
import { withStore } from "../../connect/local-store.ts";
import { summariseBackups } from "../../render/backups.ts";
import { summariseMaintenance } from "../../render/maintenance.ts";
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

// A machine that is switched off for two weeks runs no maintenance, and needs none.
const LATE_MS = 14 * 86_400_000;

export const maintenanceSettings: Check<InspectedClient> = {
  id: "client.local.maintenance",
  title: "the store on this machine is maintained and backed up",
  async run({ remote, dbPath, backupDir, env }) {
    if (remote) return { status: "skip", message: "remote mode: the backend maintains its store" };
    if (!existsSync(dbPath) || !statSync(dbPath).isFile() || statSync(dbPath).size === 0)
      return { status: "skip", message: "there is no store yet" };
    const { maintenance, lastAt } = await withStore({ dbPath, database: undefined }, async ({ lifecycle }) => ({
      maintenance: await summariseMaintenance(lifecycle),
      lastAt: await lifecycle.journal.lastAt(),
    }));
    const { listBackups } = await loadStores(() => import("@chest/store-sqlite"));
    const backups = summariseBackups((await listBackups(backupDir)).map(({ madeAt }) => madeAt));
    const message = [maintenance.line, backups.line].join("\n");
    const isLate = lastAt !== undefined && Date.now() - lastAt.getTime() > LATE_MS;
    if (isLate || maintenance.document.state === "failed") return { status: "warn", message, fix: "chest-index up" };
    const isOff = /^(?:0|off|false|no)$/i.test(env.CHEST_AUTO_MAINTENANCE ?? "");
    const note = isOff ? "\nCHEST_AUTO_MAINTENANCE is off: only `chest-index up` maintains it" : "";
    return { status: "ok", message: `${message}${note}` };
  },
};
