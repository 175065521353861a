import { type HostFacts, type HostFinding, TOKEN_ENDS_SOON_MS } from "@chest/contracts";
import { isBuiltin } from "../embedding/known-models.ts";

const LITTLE_BYTES = 1e9;
const LITTLE_SHARE = 0.1;
const NONE_BYTES = 64 * 1024 * 1024;
const LARGE_LOG_BYTES = 256 * 1024 * 1024;
/** A run is late after this many intervals. */
const LATE_RUNS = 3;
const LATE_BACKUP_MS = 48 * 3_600_000;
/** A backend makes its first backup a minute after its start; a large one takes minutes. */
const FIRST_BACKUP_S = 300;
const ENOUGH_VECTORS = 0.99;
const FEW_DAYS = TOKEN_ENDS_SOON_MS / 86_400_000;

interface Look {
  readonly now: Date;
  /** `file`: no backend answered, so the store's file was read; checks that need a running backend are skipped. */
  readonly source: "backend" | "file";
}

type Verdict = Omit<HostFinding, "id">;
type Judge = (facts: HostFacts, look: Look) => Verdict;

const ok = (message: string): Verdict => ({ status: "ok", message });
const skip = (message: string): Verdict => ({ status: "skip", message });
const index = (...commands: string[]) => ({ by: "index" as const, commands });
const offline = (...commands: string[]) => ({ by: "offline" as const, commands });
const shell = (...commands: string[]) => ({ by: "shell" as const, commands });

/** Checks that only a running backend can answer, because they concern its settings. */
const ofBackend =
  (judge: Judge): Judge =>
  (facts, look) =>
    look.source === "backend" ? judge(facts, look) : skip("only a running backend can tell");

const OLDER_BACKEND = skip("it takes a backend of this release to tell");

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0)} MB`;
const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

const config = ofBackend(({ config: { warnings } }) =>
  warnings.length === 0
    ? ok("nothing unknown, nothing clamped")
    : {
        status: "warn",
        message: warnings.join("\n"),
        mend: shell("env | grep ^CHEST_ | cut -d= -f1; sudo grep ^CHEST_ /etc/chest/chest.env"),
      },
);

const schema: Judge = ({ store: { schema: has, known_schema: knows } }) => {
  const values = { has, knows };
  if (has === knows) return ok(has);
  if (has > knows) {
    const message = `the store has ${has}, this release knows up to ${knows}`;
    return { status: "fail", message, code: "schema.newer", values, mend: { by: "update" } };
  }
  const message = `the store has ${has}; the next start brings it to ${knows}`;
  return { status: "warn", message, code: "schema.older", values, mend: { by: "restart" } };
};

const disk: Judge = ({ place: { free_bytes: free, total_bytes: total }, store }) => {
  const message = `${megabytes(free)} of ${megabytes(total)} free`;
  const values = { free };
  if (free < NONE_BYTES)
    return { status: "fail", message: `${message}: writes are refused`, code: "disk.full", values };
  if (free < LITTLE_BYTES && free < LITTLE_SHARE * total) return { status: "warn", message, code: "disk.low", values };
  // A backup is about as large as the store.
  return free < store.bytes
    ? { status: "warn", message: `${message}: not enough for a backup`, code: "disk.backup", values }
    : ok(message);
};

const volume: Judge = ({ place: { network } }) =>
  network === null
    ? ok("local")
    : {
        status: "warn",
        message: `it is on ${network}: SQLite's locks do not hold there, so no backend opens it; a copy on a local disk is opened`,
        code: "volume.network",
        values: { network },
      };

const permissions: Judge = ({ place: { files } }) => {
  const open = files.filter(({ is_closed }) => !is_closed);
  const foreign = files.filter(({ is_owned }) => !is_owned);
  if (open.length === 0 && foreign.length === 0) return ok(files.map(({ what, mode }) => `${what} ${mode}`).join(", "));
  const isFolder = (what: string) => what === "folder" || what === "backups";
  const message = [
    ...open.map(({ path, mode }) => `${path} has mode ${mode}: others can access it`),
    ...foreign.map(({ path }) => `${path} belongs to another account than the process`),
  ].join("\n");
  const mends = [
    ...open.map(({ what, path }) => `chmod ${isFolder(what) ? "700" : "600"} ${quoted(path)}`),
    ...foreign.map(({ path }) => `sudo chown "$(id -u)" ${quoted(path)}`),
  ];
  const paths = [...open, ...foreign].map(({ path }) => path).join(", ");
  const code = open.length > 0 ? "permissions.open" : "permissions.foreign";
  return { status: "warn", message, code, values: { paths }, mend: shell(...mends) };
};

const wal: Judge = ({ store: { log_bytes: log, bytes } }) =>
  log < Math.max(LARGE_LOG_BYTES, bytes / 2)
    ? ok(megabytes(log))
    : {
        status: "warn",
        message: `${megabytes(log)}: a reader never ends, or a burst of writes left it; a restart checkpoints it`,
        code: "wal.large",
        values: { log },
        mend: { by: "restart" },
      };

const text: Judge = ({ store: { memories, unsegmented, unindexed, stray_indexed: stray } }) => {
  const count = unsegmented + unindexed + stray;
  if (count === 0) return ok(`${counted(memories, "memory", "memories")}, each with its text`);
  const parts = [
    `${counted(unsegmented, "memory", "memories")} without a text`,
    `${counted(unindexed, "text")} not in the index`,
    `${counted(stray, "entry", "entries")} of it without a text`,
  ];
  const message = `${parts.join(", ")}\nwords do not find them; with the backend stopped, this rebuilds the index from the rows`;
  return { status: "fail", message, code: "text.missing", values: { count }, mend: offline("fts rebuild") };
};

/**
 * No model is configured and nothing was ever embedded: search by words is intended, and pending memories are no fault.
 */
const isWithoutModel = ({ config: { can_embed, model }, store: { vectors: stored } }: HostFacts): boolean =>
  !can_embed && stored === 0 && (model === undefined || isBuiltin({ model }));

/** The store uses a model that comes with Chest and the backend is allowed to embed, but the model cannot be loaded. */
const isWithoutOwn = ({ config: { can_embed, model }, store }: HostFacts): boolean =>
  !can_embed && model !== undefined && store.model !== undefined && isBuiltin({ model: store.model });

/** Embedding is off on purpose: memories are found by words. */
const byWordsAlone = ({ config: { model } }: HostFacts): Verdict =>
  model === undefined
    ? {
        status: "note",
        message: "this backend embeds nothing: clients embed, or words are enough",
        code: "embedder.off",
      }
    : {
        status: "note",
        message: "no model, so recall uses words only",
        code: "embedder.none",
        mend: index("fetch-model"),
      };

const vectors: Judge = (facts) => {
  const { live, pending, corrupt_vectors: count } = facts.store;
  if (count > 0) {
    const message = `${counted(count, "vector")} not as long as the model's`;
    return { status: "warn", message, code: "vectors.corrupt", values: { count }, mend: index("reembed") };
  }
  if (live === 0 || (live - pending) / live >= ENOUGH_VECTORS) return ok(`${live - pending} of ${live} have a vector`);
  if (isWithoutModel(facts)) return byWordsAlone(facts);
  const { can_embed: embeds } = facts.config;
  return {
    status: "warn",
    message: `${pending} of ${live} wait for a vector${embeds ? "" : "; the backend has no model, so clients embed"}`,
    code: "vectors.pending",
    values: { count: pending },
    mend: index(embeds ? "status" : "fetch-model"),
  };
};

const embedder = ofBackend((facts) => {
  const { pending } = facts.store;
  if (isWithoutOwn(facts)) {
    const message =
      "the embedding model that comes with Chest is missing or damaged, so recall uses words only; `/healthz` has its state";
    return { status: "warn", message, code: "embedder.damaged", mend: { by: "update" } };
  }
  if (facts.config.can_embed) return ok("the backend has its model");
  if (isWithoutModel(facts) || (pending === 0 && facts.config.model === undefined)) return byWordsAlone(facts);
  if (pending === 0) return ok("none on the backend, and nothing waits: clients embed, or words are enough");
  return {
    status: "warn",
    message: `the model is not in the backend's cache, and ${counted(pending, "memory waits", "memories wait")}`,
    code: "embedder.away",
    values: { count: pending },
    mend: index("fetch-model"),
  };
});

const identity = ofBackend(({ config: { model: configured }, store: { model: stored, next_model: next } }) => {
  if (configured === undefined || stored === undefined) return skip("the backend embeds nothing, or does not tell");
  if (configured === stored) return ok(stored);
  if (configured === next) return ok(`${stored}, and switching to ${configured}`);
  if (isBuiltin({ model: configured })) return ok(`${stored}: no other one is named, and the store keeps its own`);
  return {
    status: "warn",
    message: `CHEST_EMBED_MODEL is ${configured}; the store has vectors of ${stored}, and keeps using those`,
    code: "identity.other",
    values: { configured, stored },
    mend: index("reembed"),
  };
});

const maintenance = ofBackend(({ maintenance: told }, { now }) => {
  if (!told) return OLDER_BACKEND;
  const { is_on, interval_s: interval, last_at: last, last_outcome: outcome, waits_since: since } = told;
  if (!is_on)
    return { status: "note", message: "switched off: run `chest-index up` by other means", code: "maintenance.off" };
  if (last === null) return ok("its first run is still to come");
  const message = `the last run was at ${last}: ${outcome}`;
  const values = { last };
  const mend = index("up");
  if (outcome === "failed")
    return {
      status: "warn",
      message: `${message}; the backend's log says why`,
      code: "maintenance.failed",
      values,
      mend,
    };
  if (since) {
    return {
      status: "warn",
      message: `there was no write or maintenance between ${since} and the last run, at ${last}: expiry, consolidation, forgetting and retention wait for one interval of ${interval} s, in case the clock is wrong`,
      code: "maintenance.waits",
      values: { last, since },
      mend: index("up --check"),
    };
  }
  return now.getTime() - Date.parse(last) > LATE_RUNS * interval * 1000
    ? { status: "warn", message, code: "maintenance.late", values, mend }
    : ok(message);
});

const backup: Judge = ({ backups, store, config: settings, uptime_s: uptime = Number.POSITIVE_INFINITY }, { now }) => {
  const mend = index("backup");
  const { newest_at: newest } = backups;
  if (store.memories === 0 && backups.count === 0) return ok("nothing is stored yet");
  if (!newest && settings.backup_interval_hours > 0 && uptime < FIRST_BACKUP_S)
    return { status: "note", message: "the first one is made a minute after the start", code: "backup.first" };
  if (!newest) return { status: "warn", message: "there is none", code: "backup.none", mend };
  const values = { newest };
  if (now.getTime() - Date.parse(newest) > LATE_BACKUP_MS)
    return { status: "warn", message: `the newest is of ${newest}`, code: "backup.old", values, mend };
  if (backups.is_verified) return ok(`${backups.count}, the newest of ${newest}`);
  const message = "the newest has no manifest, so it cannot be verified";
  return { status: "warn", message, code: "backup.unverified", values, mend };
};

const tokens = ofBackend(({ tokens: told }) => {
  if (!told) return OLDER_BACKEND;
  const { expired_in_use: expired, ending_soon: ending, live } = told;
  if (expired.length > 0) {
    return {
      status: "warn",
      message: `token ${expired.join(", ")} expired while it was in use: its holder is refused and needs another one (\`chest-index token create --member NAME\`)`,
      code: "tokens.expired",
      values: { count: expired.length },
      mend: index(...expired.map((id) => `token revoke ${id}`)),
    };
  }
  if (ending.length > 0) {
    return {
      status: "warn",
      message: `token ${ending.join(", ")} is in use and expires within ${FEW_DAYS} days: make another one (\`chest-index token create --member NAME\`) and revoke the old one then`,
      code: "tokens.ending",
      values: { count: ending.length },
      mend: index("token list"),
    };
  }
  return ok(`${counted(live, "token")} of members beside the shared one, which is never an admin's`);
});

const webhooks = ofBackend(({ webhooks: told }) => {
  if (!told) return OLDER_BACKEND;
  const [worst] = [...told.failing].sort((a, b) => b.failures - a.failures);
  if (!worst) return ok(told.count === 0 ? "there are none" : `${told.count}, none of them fails`);
  return {
    status: "warn",
    message: `${told.failing.length} of ${told.count} fail: webhook ${worst.id} for ${worst.failures} attempts, ${worst.trouble}; nothing is lost while it is paused`,
    code: "webhooks.failing",
    values: { count: told.failing.length },
    mend: index(`webhooks test ${worst.id}`),
  };
});

const proxy = ofBackend(({ request }) =>
  request.is_forwarded && !request.is_proxy_believed
    ? {
        status: "warn",
        message: "a proxy is in front, and CHEST_TRUST_PROXY is 0: all clients share one address in rate limits",
        code: "proxy.unknown",
        mend: shell("echo CHEST_TRUST_PROXY=1 | sudo tee -a /etc/chest/chest.env && sudo systemctl restart chest"),
      }
    : ok("no proxy that is not believed"),
);

/** Judgements by the id of their check, in the order of the report. */
const JUDGES = {
  config,
  schema,
  disk,
  volume,
  permissions,
  wal,
  text,
  vectors,
  embedder,
  identity,
  maintenance,
  backup,
  proxy,
  tokens,
  webhooks,
} as const satisfies Readonly<Record<string, Judge>>;
export type HostCheck = keyof typeof JUDGES;

/** Judges one thing about a backend by its facts. */
export const judgeHost = (id: HostCheck, facts: HostFacts, look: Look): HostFinding => ({
  id,
  ...JUDGES[id](facts, look),
});

/** Judges all that a backend can tell of itself, for its page, for REST and for `chest-index doctor server`. */
export const findingsOf = (facts: HostFacts, now: Date): HostFinding[] =>
  (Object.keys(JUDGES) as HostCheck[]).map((id) => judgeHost(id, facts, { now, source: "backend" }));
