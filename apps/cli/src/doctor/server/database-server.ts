import type { DbFacts } from "@chest/contracts";
import type { Check, Finding } from "../check.ts";
import { from, type InspectedServer } from "./target.ts";

type Facts = NonNullable<DbFacts["server"]>;

/** Check of a database server; it is skipped for a store in a file. */
const about = (id: string, title: string, judge: (facts: Facts) => Finding): Check<InspectedServer> => ({
  id: `server.postgres.${id}`,
  title,
  run: (inspected) =>
    from(inspected.database(), ({ server }) =>
      server ? judge(server) : { status: "skip", message: "the store is a file" },
    ),
});

const ok = (message: string): Finding => ({ status: "ok", message });
const warn = (message: string, fix: string): Finding => ({ status: "warn", message, fix });

const BUSY = 0.8;
const ARCHIVED_WITHIN_S = 900;
const LONG_TRANSACTION_S = 300;
const MOST_SKEW_MS = 2000;
const MOST_LAG_BYTES = 64 * 2 ** 20;

export const databaseServerChecks: readonly Check<InspectedServer>[] = [
  about("version", "PostgreSQL and pgvector are of a release that is known", ({ version, vector_version: vector }) => {
    const [major = 0, minor = 0] = vector.split(".").map(Number);
    return major > 0 || minor >= 8
      ? ok(`PostgreSQL ${version}, pgvector ${vector}`)
      : warn(
          `pgvector ${vector} has no scans that go on past a filter: every vector is compared`,
          "psql -c 'ALTER EXTENSION vector UPDATE'",
        );
  }),
  about("durability", "acknowledged writes are on the disk", (facts) => {
    const { durable, synchronous_commit: commit, standbys, synchronous_standbys: waited } = facts;
    if (!durable)
      return {
        status: "fail",
        message: "fsync or full_page_writes is off: a crash destroys the database",
        fix: "psql -c 'ALTER SYSTEM SET fsync = on' -c 'ALTER SYSTEM SET full_page_writes = on' -c 'SELECT pg_reload_conf()'",
      };
    if (commit === "off")
      return warn(
        "synchronous_commit is off: a crash loses the last moments",
        "psql -c 'ALTER SYSTEM SET synchronous_commit = on' -c 'SELECT pg_reload_conf()'",
      );
    if (standbys > 0 && waited === 0)
      return warn(
        `${standbys} standbys, and a commit waits for none of them: a failover may lose the last moments`,
        "psql -c \"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'\" -c 'SELECT pg_reload_conf()'",
      );
    return ok(`synchronous_commit ${commit}, ${waited} of ${standbys} standbys are waited for`);
  }),
  about("replication", "standbys are not behind", ({ standbys, lag_bytes: lag }) => {
    if (standbys === 0) return ok("no standby is visible from here; a provider may hide one");
    return lag !== null && lag > MOST_LAG_BYTES
      ? warn(`the slowest is ${Math.round(lag / 2 ** 20)} MB behind`, "psql -c 'SELECT * FROM pg_stat_replication'")
      : ok(`${standbys}, ${lag === null ? "lag unknown to this user" : `${lag} bytes behind at the most`}`);
  }),
  about("backup", "its log is archived", ({ archiving, last_archived_ago_s: ago }) => {
    if (!archiving)
      return warn(
        "archive_mode is off: apart from a provider's own snapshots there is no point-in-time recovery",
        "chest-index export --out chest.archive",
      );
    return ago !== null && ago <= ARCHIVED_WITHIN_S
      ? ok(`${ago} s ago`)
      : warn(
          ago === null ? "nothing was archived yet" : `last ${ago} s ago`,
          "psql -c 'SELECT * FROM pg_stat_archiver'",
        );
  }),
  about("connections", "there are connections left", ({ connections, max_connections: most }) =>
    connections < most * BUSY
      ? ok(`${connections} of ${most}`)
      : warn(
          `${connections} of ${most} are taken`,
          "psql -c 'SELECT application_name, count(*) FROM pg_stat_activity GROUP BY 1'",
        ),
  ),
  about("transactions", "no transaction stays open", ({ oldest_transaction_s: age }) =>
    age < LONG_TRANSACTION_S
      ? ok(`the oldest is ${age} s old`)
      : warn(
          `one is ${age} s old: it blocks vacuum`,
          "psql -c 'SELECT pid, application_name, state, xact_start FROM pg_stat_activity ORDER BY xact_start LIMIT 3'",
        ),
  ),
  about("clock", "its clock agrees with the backend's", ({ clock_ahead_ms: ahead }) =>
    Math.abs(ahead) <= MOST_SKEW_MS ? ok(`${ahead} ms ahead`) : warn(`${ahead} ms ahead`, "timedatectl"),
  ),
  about("releases", "all backends are of one release", ({ releases }) =>
    releases.length <= 1
      ? ok(releases.join(", ") || "none is seen")
      : warn(
          `${releases.join(", ")}: this is expected during a rolling update`,
          "psql -c \"SELECT application_name, client_addr FROM pg_stat_activity WHERE application_name LIKE 'chest/%'\"",
        ),
  ),
];
