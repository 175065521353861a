import { dirname } from "node:path";
import { type DbFacts, INDEX_ALONE } from "@chest/contracts";
import { judgeDb } from "@chest/core/doctor";
import { quoted } from "@chest/runtime/shell-words";
import type { Check, Finding } from "../check.ts";
import { asFinding } from "./machine.ts";
import { from, type InspectedServer, indexCommand, megabytes, offlineCommand, restartCommand } from "./target.ts";

type Judge = (facts: DbFacts, inspected: InspectedServer, source: "backend" | "file") => Finding | Promise<Finding>;

/** Check of the facts about the database. */
const about = (id: string, title: string, judge: Judge): Check<InspectedServer> => ({
  id: `server.db.${id}`,
  title,
  run: async (inspected) => {
    const loaded = await inspected.database();
    if (loaded.from === "unreadable" && id === "exists") return unreadable(loaded);
    return from(
      inspected.database(),
      (facts, source) => (facts.exists || id === "exists" ? judge(facts, inspected, source) : NONE),
      "fail",
    );
  },
});

/** Finding for a store that this account may not read. */
function unreadable({ path, ownerUid }: { readonly path: string; readonly ownerUid: number | undefined }): Finding {
  const isOwn = ownerUid === undefined || ownerUid === process.getuid?.();
  return {
    status: "fail",
    message: `\`${path}\` cannot be read by this account, so nothing is said of what is in it`,
    fix: isOwn
      ? `chmod u+rwX ${quoted(dirname(path))} && chmod u+rw ${quoted(path)}`
      : `sudo -u '#${ownerUid}' env CHEST_DB_PATH=${quoted(path)} chest-index doctor server`,
  };
}

const NONE: Finding = { status: "skip", message: "there is no database to ask this of" };

/** Command that restores a lost or damaged store from its newest backup, where this machine has one. */
async function restore(inspected: InspectedServer): Promise<string> {
  const newest = await inspected.newestBackup();
  return newest
    ? offlineCommand(inspected, `restore ${quoted(newest)} --yes`)
    : indexCommand(inspected, "backup --list");
}

export const databaseChecks: readonly Check<InspectedServer>[] = [
  about("exists", "there is a database", async ({ exists, size_bytes, db_path }, inspected) =>
    exists && size_bytes > 0
      ? { status: "ok", message: `${db_path}, ${megabytes(size_bytes)}` }
      : {
          status: "fail",
          message: `${db_path} is ${exists ? "empty" : "not there"}; the first start makes one, a lost one comes back from a backup`,
          fix: await restore(inspected),
        },
  ),
  about("integrity", "it is whole", async ({ integrity_check }, inspected) => {
    if (integrity_check === "ok") return { status: "ok", message: "integrity_check: ok" };
    if (integrity_check.startsWith(INDEX_ALONE)) {
      return {
        status: "fail",
        message: `integrity_check: ${integrity_check}\nthe next start rebuilds it from the rows; with the backend stopped, this does`,
        fix: await offlineCommand(inspected, "fts rebuild"),
      };
    }
    return {
      status: "fail",
      message: `integrity_check: ${integrity_check}\nstop the backend, then put a backup in its place; the damaged file is kept beside it`,
      fix: await restore(inspected),
    };
  }),
  about("journal_mode", "it writes ahead", async ({ journal_mode }, inspected, source) =>
    journal_mode === "wal"
      ? { status: "ok", message: "wal" }
      : {
          status: "warn",
          message: `journal_mode is ${journal_mode}${source === "file" ? ": the next start of the backend sets it" : ""}`,
          fix: await restartCommand(inspected),
        },
  ),
  about("tables", "it has every table of its release", async ({ missing_tables }, inspected) => {
    if (missing_tables.length === 0) return { status: "ok", message: "none is missing" };
    return {
      status: "fail",
      message: `missing: ${missing_tables.join(", ")}`,
      fix: await restore(inspected),
    };
  }),
  about("schema", "it has what the schema of its release says", async (facts, inspected, source) => {
    if (source === "file") return { status: "skip", message: "only a running backend can tell" };
    const judged = facts.findings?.find(({ id }) => id === "db.schema") ?? judgeDb("db.schema", facts);
    const found = await asFinding(judged, inspected);
    return judged.mend ? { ...found, fix: await restore(inspected) } : found;
  }),
  about("writable", "it takes a write", ({ writable, error, db_path }, _patient, source) => {
    if (source === "file") return { status: "skip", message: "only a running backend can tell" };
    if (writable) return { status: "ok", message: "it does" };
    return {
      status: "fail",
      message: error ?? "it does not",
      fix: `df -h ${quoted(db_path)}; ls -l ${quoted(db_path)}`,
    };
  }),
];
