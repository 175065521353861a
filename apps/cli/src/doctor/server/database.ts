import type { DbFacts } from "@chest/contracts";
import { quoted } from "../../shell-words.ts";
import type { Check, Finding } from "../check.ts";
import { from, indexCommand, megabytes, offlineCommand, type ServerPatient } from "./patient.ts";

type Judge = (facts: DbFacts, patient: ServerPatient, source: "backend" | "file") => Finding | Promise<Finding>;

/** One question about the database that was looked through. */
const about = (id: string, title: string, judge: Judge): Check<ServerPatient> => ({
  id: `server.db.${id}`,
  title,
  run: (patient) => from(patient.database(), (facts, source) => judge(facts, patient, source), "fail"),
});

export const databaseChecks: readonly Check<ServerPatient>[] = [
  about("exists", "there is a database", ({ exists, size_bytes, db_path }) =>
    exists && size_bytes > 0
      ? { status: "ok", message: `${db_path}, ${megabytes(size_bytes)}` }
      : {
          status: "fail",
          message: `${db_path} is ${exists ? "empty" : "not there"}; the first start makes one, a lost one comes back from a backup`,
          fix: "chest-index backup --list",
        },
  ),
  about("integrity", "it is whole", async ({ integrity_check }, patient) => {
    if (integrity_check === "ok") return { status: "ok", message: "integrity_check: ok" };
    const newest = await patient.newestBackup();
    return {
      status: "fail",
      message: `integrity_check: ${integrity_check}\nstop the backend, then put a backup in its place; the damaged file is kept beside it`,
      fix: newest
        ? await offlineCommand(patient, `restore ${quoted(newest)} --yes`)
        : await indexCommand(patient, "backup --list"),
    };
  }),
  about("journal_mode", "it writes ahead", ({ journal_mode }, _patient, source) =>
    journal_mode === "wal"
      ? { status: "ok", message: "wal" }
      : {
          status: "warn",
          message: `journal_mode is ${journal_mode}${source === "file" ? ": the next start of the backend sets it" : ""}`,
          fix: "systemctl restart chest",
        },
  ),
  about("tables", "it has every table of its release", async ({ missing_tables }, patient) => {
    if (missing_tables.length === 0) return { status: "ok", message: "none is missing" };
    const newest = await patient.newestBackup();
    return {
      status: "fail",
      message: `missing: ${missing_tables.join(", ")}`,
      fix: newest
        ? await offlineCommand(patient, `restore ${quoted(newest)} --yes`)
        : await indexCommand(patient, "backup --list"),
    };
  }),
  about("writable", "it takes a write", ({ writable, error, db_path }, _patient, source) => {
    if (source === "file") return { status: "skip", message: "only a backend that runs can tell" };
    if (writable) return { status: "ok", message: "it does" };
    return {
      status: "fail",
      message: error ?? "it does not",
      fix: `df -h ${quoted(db_path)}; ls -l ${quoted(db_path)}`,
    };
  }),
];
