import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { type DbFacts, endpoints, type HostFacts } from "@chest/contracts";
import { loadStores, RELEASE } from "@chest/runtime";
import { openReach } from "../../connect/backend.ts";
import type { Config, Reach } from "../../connect/config.ts";
import { openDocker } from "../../connect/docker.ts";
import { serviceHere } from "../../connect/service.ts";
import type { InspectedServer, Source } from "./target.ts";

export interface ServerTarget {
  readonly config: Config;
  readonly reach: Reach;
  readonly foundBy: string;
  readonly container: { readonly name: string; readonly isAsked: boolean };
  /** Allows reading the local store file if no backend answers. */
  readonly isHere: boolean;
}

/** Opens the server for the doctor's checks. Each fact is requested once, by the first check that needs it. */
export function openInspectedServer({ config, reach, foundBy, container, isHere }: ServerTarget): InspectedServer {
  const backend = openReach(reach);
  const look = once(() => lookHere(config));
  return {
    backend,
    foundBy,
    reach,
    container,
    docker: once(openDocker),
    service: once(serviceHere),
    database: once(() =>
      readSource(
        () => backend.call(endpoints.diagnoseDb, { tries: 1 }),
        async () => (isHere ? (await look())?.db : undefined),
        isHere ? config.dbPath : undefined,
      ),
    ),
    host: once(() =>
      readSource(
        () => backend.call(endpoints.diagnoseHost, { tries: 1 }),
        async () => (isHere ? (await look())?.host : undefined),
        isHere ? config.dbPath : undefined,
      ),
    ),
    newestBackup: once(async () => {
      if (!isHere) return undefined;
      const { listBackups } = await loadStores(() => import("@chest/store-sqlite"));
      return (await listBackups(config.backupDir))[0]?.path;
    }),
    now: () => new Date(),
  };
}

const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= work();
    return answer;
  };
};

/** Requests facts from the backend, or else reads the file; otherwise reports why neither answers. */
async function readSource<Facts>(
  ask: () => Promise<Facts>,
  look: () => Promise<Facts | undefined>,
  path: string | undefined,
): Promise<Source<Facts>> {
  try {
    return { from: "backend", facts: await ask() };
  } catch (error) {
    const isAway = (error as { code?: string }).code === "BACKEND_UNREACHABLE";
    const closed = isAway && path !== undefined ? unreadable(path) : undefined;
    if (closed) return closed;
    const facts = isAway ? await look() : undefined;
    return facts ? { from: "file", facts } : { from: "none", error };
  }
}

/** Finds the store's file or folder that this account may not read; undefined for a readable or missing file. */
function unreadable(path: string): Extract<Source<never>, { from: "unreadable" }> | undefined {
  for (const place of [dirname(path), path]) {
    try {
      accessSync(place, place === path ? constants.R_OK : constants.R_OK | constants.X_OK);
    } catch (error) {
      if (!["EACCES", "EPERM"].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
      return { from: "unreadable", path, ownerUid: statSync(place, { throwIfNoEntry: false })?.uid };
    }
  }
  return undefined;
}

/** Facts of a missing store that has backups. */
const lost = (path: string): DbFacts => ({
  db_path: path,
  exists: false,
  size_bytes: 0,
  integrity_check: "not checked",
  journal_mode: "unknown",
  tables_present: [],
  missing_tables: [],
  writable: false,
});

/** Opens this machine's store file read-only; undefined where there never was a store. */
async function lookHere(config: Config): Promise<{ db: DbFacts; host?: HostFacts } | undefined> {
  const { lookAtStore, listBackups, placeOf } = await loadStores(() => import("@chest/store-sqlite"));
  const seen = lookAtStore(config.dbPath);
  const backups = await listBackups(config.backupDir);
  if (!seen.doesExist) return backups.length > 0 ? { db: lost(seen.path) } : undefined;
  const { backupFacts, placeFacts, rowFacts } = await import("@chest/core/doctor");
  return {
    db: {
      db_path: seen.path,
      exists: true,
      size_bytes: seen.sizeBytes,
      integrity_check: seen.integrity,
      journal_mode: seen.journalMode,
      tables_present: [...seen.tables],
      missing_tables: [...seen.missingTables],
      writable: false,
    },
    host: {
      ok: true as const,
      server_version: RELEASE,
      time: new Date().toISOString(),
      config: {
        warnings: [],
        trust_proxy_hops: 0,
        backup_interval_hours: 0,
        can_embed: false,
      },
      store: {
        schema: seen.schema,
        known_schema: seen.knownSchema,
        bytes: seen.sizeBytes,
        log_bytes: seen.logBytes,
        ...rowFacts(seen.census),
      },
      place: placeFacts(placeOf(config.dbPath, config.backupDir)),
      backups: backupFacts(backups),
      request: { is_forwarded: false, is_proxy_believed: false },
    },
  };
}
