import { type HostFacts, TOKEN_ENDS_SOON_MS } from "@chest/contracts";
import { isBuiltin } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import { quoted } from "@chest/runtime/shell-words";
import { updateHere } from "../../connect/start-command.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import type { Check, Finding } from "../check.ts";
import { from, type InspectedServer, indexCommand, megabytes, offlineCommand, restartCommand } from "./target.ts";

const LITTLE_BYTES = 1e9;
const LITTLE_SHARE = 0.1;
const NONE_BYTES = 64 * 1024 * 1024;
const LARGE_LOG_BYTES = 256 * 1024 * 1024;
/** A run is late after so many intervals. */
const LATE_RUNS = 3;
const LATE_BACKUP_MS = 48 * 3_600_000;
/** A backend makes its first backup a minute after its start; a large one takes a while. */
const FIRST_BACKUP_S = 300;
const ENOUGH_VECTORS = 0.99;
const FEW_DAYS = TOKEN_ENDS_SOON_MS / 86_400_000;

type Judge = (facts: HostFacts, inspected: InspectedServer, source: "backend" | "file") => Finding | Promise<Finding>;

const about = (id: string, title: string, judge: Judge): Check<InspectedServer> => ({
  id: `server.${id}`,
  title,
  run: (inspected) => from(inspected.host(), (facts, source) => judge(facts, inspected, source)),
});

/** For checks that the store's file cannot answer: only a running backend knows its settings. */
const ofBackend =
  (judge: Judge): Judge =>
  (facts, inspected, source) =>
    source === "backend"
      ? judge(facts, inspected, source)
      : { status: "skip", message: "only a running backend can tell" };

const config = about(
  "config",
  "every setting takes effect",
  ofBackend(({ config: { warnings } }) =>
    warnings.length === 0
      ? { status: "ok", message: "nothing unknown, nothing clamped" }
      : {
          status: "warn",
          message: warnings.join("\n"),
          fix: "env | grep ^CHEST_ | cut -d= -f1; sudo grep ^CHEST_ /etc/chest/chest.env",
        },
  ),
);

const version = about(
  "version",
  "it and this program are of one release",
  ofBackend(({ server_version }) =>
    server_version === RELEASE
      ? { status: "ok", message: server_version }
      : {
          status: "warn",
          message: `the backend is ${server_version}, this program is ${RELEASE}`,
          fix: server_version > RELEASE ? updateHere() : undefined,
        },
  ),
);

const schema = about("schema", "the store is of the backend's release", async ({ store }, inspected) => {
  if (store.schema === store.known_schema) return { status: "ok", message: store.schema };
  if (store.schema > store.known_schema) {
    return {
      status: "fail",
      message: `the store has ${store.schema}, this release knows up to ${store.known_schema}`,
      fix: updateHere(),
    };
  }
  return {
    status: "warn",
    message: `the store has ${store.schema}; the next start brings it to ${store.known_schema}`,
    fix: await restartCommand(inspected),
  };
});

const disk = about("disk", "there is room", async ({ place: { free_bytes, total_bytes }, store }, inspected) => {
  const message = `${megabytes(free_bytes)} of ${megabytes(total_bytes)} free`;
  const vacuum = (await inspected.hasUnit()) ? ["sudo journalctl --vacuum-size=200M"] : [];
  const fix = [...((await inspected.docker()) ? ["docker system prune"] : []), ...vacuum].join("; ") || undefined;
  if (free_bytes < NONE_BYTES) return { status: "fail", message: `${message}: writes are refused`, fix };
  // A backup takes as much as the store.
  if (free_bytes < LITTLE_BYTES && free_bytes < LITTLE_SHARE * total_bytes) return { status: "warn", message, fix };
  if (free_bytes < store.bytes) return { status: "warn", message: `${message}: not enough for a backup`, fix };
  return { status: "ok", message };
});

const volume = about(
  "volume",
  "the store is on a local disk that stays",
  async ({ place: { network, files } }, { docker, container }) => {
    const found = await (await docker())?.inspect(container.name);
    if (network) {
      const folder = files.find(({ what }) => what === "folder")?.path ?? ".";
      return {
        status: "warn",
        message: `it is on ${network}: SQLite's locks do not hold there, so no backend opens it; a copy on a local disk is opened`,
        fix: found
          ? `docker run --rm --user root --volumes-from ${container.name} --volume chest-local:/local ${found.image} cp -a /data/. /local`
          : `sudo cp -a ${quoted(`${folder}/.`)} /var/lib/chest && echo CHEST_DATA_DIR=/var/lib/chest | sudo tee -a /etc/chest/chest.env && sudo systemctl restart chest`,
      };
    }
    if (!found || found.isDataKept) return { status: "ok", message: "local" };
    const { name } = container;
    return {
      status: "warn",
      message: "/data is not a named volume: what is stored is lost with the container; a copy in one serves the next",
      fix: `docker stop ${name} && docker run --rm --user root --volumes-from ${name} --volume chest-data:/kept ${found.image} cp -a /data/. /kept; docker start ${name}`,
    };
  },
);

const permissions = about("permissions", "no one else can read what is stored", ({ place: { files } }) => {
  const open = files.filter(({ is_closed }) => !is_closed);
  const foreign = files.filter(({ is_owned }) => !is_owned);
  if (open.length === 0 && foreign.length === 0)
    return { status: "ok", message: files.map(({ what, mode }) => `${what} ${mode}`).join(", ") };
  const isFolder = (what: string) => what === "folder" || what === "backups";
  return {
    status: "warn",
    message: [
      ...open.map(({ path, mode }) => `${path} has mode ${mode}: others can access it`),
      ...foreign.map(({ path }) => `${path} belongs to another account than the process`),
    ].join("\n"),
    fix: [
      ...open.map(({ what, path }) => `chmod ${isFolder(what) ? "700" : "600"} ${quoted(path)}`),
      ...foreign.map(({ path }) => `sudo chown "$(id -u)" ${quoted(path)}`),
    ].join(" && "),
  };
});

const lock = about("lock", "no lock was left behind", () => ({
  status: "ok",
  message: "locks are the system's own: a dead process releases them",
}));

const wal = about("wal", "the log is checkpointed into the store", async ({ store }, inspected) => {
  if (store.log_bytes < Math.max(LARGE_LOG_BYTES, store.bytes / 2))
    return { status: "ok", message: megabytes(store.log_bytes) };
  return {
    status: "warn",
    message: `${megabytes(store.log_bytes)}: a reader never ends, or a burst of writes left it; a restart checkpoints it`,
    fix: await restartCommand(inspected),
  };
});

const text = about("text", "index and rows agree", async ({ store }, inspected) => {
  const { memories, unsegmented, unindexed, stray_indexed } = store;
  if (unsegmented + unindexed + stray_indexed === 0)
    return { status: "ok", message: `${counted(memories, "memory", "memories")}, each with its text` };
  return {
    status: "fail",
    message: `${counted(unsegmented, "memory", "memories")} without a text, ${counted(unindexed, "text")} not in the index, ${counted(stray_indexed, "entry", "entries")} of it without a text\nwords do not find them; with the backend stopped, this rebuilds the index from the rows`,
    fix: await offlineCommand(inspected, "fts rebuild"),
  };
});

/** No model was named and nothing was ever embedded: words are enough here, and waiting memories are no fault. */
const isWithoutModel = ({ config: { can_embed, model }, store: { vectors } }: HostFacts): boolean =>
  !can_embed && vectors === 0 && (model === undefined || isBuiltin({ model }));

/** The store goes by a model that comes with Chest, and the backend may embed, but cannot. */
const isWithoutOwn = ({ config: { can_embed, model }, store }: HostFacts): boolean =>
  !can_embed && model !== undefined && store.model !== undefined && isBuiltin({ model: store.model });

const NO_OWN_MODEL: Finding = {
  status: "warn",
  message:
    "the embedding model that comes with Chest is missing or damaged, so recall uses words only; `/healthz` has its state",
  fix: updateHere(),
};

const noModel = async (inspected: InspectedServer): Promise<Finding> => ({
  status: "ok",
  message: `note: no model, so recall uses words only; \`${await indexCommand(inspected, "fetch-model")}\` adds recall by meaning`,
});

const vectors = about("vectors", "memories can be found by meaning", async (facts, inspected) => {
  const {
    store,
    config: { can_embed },
  } = facts;
  const { live, pending, corrupt_vectors } = store;
  if (corrupt_vectors > 0) {
    return {
      status: "warn",
      message: `${counted(corrupt_vectors, "vector")} not as long as the model's`,
      fix: await indexCommand(inspected, "reembed"),
    };
  }
  if (live === 0 || (live - pending) / live >= ENOUGH_VECTORS)
    return { status: "ok", message: `${live - pending} of ${live} have a vector` };
  if (isWithoutModel(facts)) return noModel(inspected);
  return {
    status: "warn",
    message: `${pending} of ${live} wait for a vector${can_embed ? "" : "; the backend has no model, so clients embed"}`,
    fix: await indexCommand(inspected, can_embed ? "status" : "fetch-model"),
  };
});

const embedder = about(
  "embedder",
  "a process makes vectors",
  ofBackend(async (facts, inspected) => {
    const {
      config: { can_embed },
      store: { pending },
    } = facts;
    if (isWithoutOwn(facts)) return NO_OWN_MODEL;
    if (can_embed) return { status: "ok", message: "the backend has its model" };
    if (pending === 0)
      return { status: "ok", message: "none on the backend, and nothing waits: clients embed, or words are enough" };
    if (isWithoutModel(facts)) return noModel(inspected);
    return {
      status: "warn",
      message: `the model is not in the backend's cache, and ${counted(pending, "memory waits", "memories wait")}`,
      fix: await indexCommand(inspected, "fetch-model"),
    };
  }),
);

const identity = about(
  "identity",
  "the store's vectors are of the model that is configured",
  ofBackend(async ({ config: { model: configured }, store: { model, next_model } }, inspected) => {
    if (configured === undefined || model === undefined)
      return { status: "skip", message: "the backend embeds nothing, or does not tell" };
    if (configured === model) return { status: "ok", message: model };
    if (configured === next_model) return { status: "ok", message: `${model}, and switching to ${configured}` };
    if (isBuiltin({ model: configured }))
      return { status: "ok", message: `${model}: no other one is named, and the store keeps its own` };
    return {
      status: "warn",
      message: `CHEST_EMBED_MODEL is ${configured}; the store has vectors of ${model}, and keeps using those`,
      fix: await indexCommand(inspected, "reembed"),
    };
  }),
);

const maintenance = about(
  "maintenance",
  "the store is maintained",
  ofBackend(async ({ maintenance: told }, inspected) => {
    if (!told) return { status: "skip", message: "it takes a backend of this release to tell" };
    const { is_on, interval_s, last_at, last_outcome, waits_since } = told;
    if (!is_on) return { status: "ok", message: "switched off: run `chest-index up` by other means" };
    if (last_at === null) return { status: "ok", message: "its first run is still to come" };
    const message = `the last run was at ${last_at}: ${last_outcome}`;
    const fix = await indexCommand(inspected, "up");
    if (last_outcome === "failed") return { status: "warn", message: `${message}; the backend's log says why`, fix };
    if (waits_since) {
      return {
        status: "warn",
        message: `there was no write or maintenance between ${waits_since} and the last run, at ${last_at}: expiry, consolidation, forgetting and retention wait for one interval of ${interval_s} s, in case the clock is wrong`,
        fix: await indexCommand(inspected, "up --check"),
      };
    }
    const ageMs = inspected.now().getTime() - Date.parse(last_at);
    return ageMs > LATE_RUNS * interval_s * 1000 ? { status: "warn", message, fix } : { status: "ok", message };
  }),
);

const backup = about("backup", "there is a backup, and a new one", async (facts, inspected) => {
  const { backups, store, config, uptime_s: uptimeS = Number.POSITIVE_INFINITY } = facts;
  const fix = await indexCommand(inspected, "backup");
  if (store.memories === 0 && backups.count === 0) return { status: "ok", message: "nothing is stored yet" };
  if (!backups.newest_at && config.backup_interval_hours > 0 && uptimeS < FIRST_BACKUP_S)
    return { status: "ok", message: "note: the first one is made a minute after the start" };
  if (!backups.newest_at) return { status: "warn", message: "there is none", fix };
  const ageMs = inspected.now().getTime() - Date.parse(backups.newest_at);
  if (ageMs > LATE_BACKUP_MS) return { status: "warn", message: `the newest is of ${backups.newest_at}`, fix };
  if (!backups.is_verified)
    return { status: "warn", message: "the newest has no manifest, so it cannot be verified", fix };
  return { status: "ok", message: `${backups.count}, the newest of ${backups.newest_at}` };
});

const tokens = about(
  "tokens",
  "no one is refused for an expired token",
  ofBackend(async ({ tokens: told }, inspected) => {
    if (!told) return { status: "skip", message: "it takes a backend of this release to tell" };
    const { expired_in_use, ending_soon, live } = told;
    if (expired_in_use.length > 0) {
      return {
        status: "warn",
        message: `token ${expired_in_use.join(", ")} expired while it was in use: its holder is refused and needs another one (\`chest-index token create --member NAME\`)`,
        fix: await revokeAll(inspected, expired_in_use),
      };
    }
    if (ending_soon.length > 0) {
      return {
        status: "warn",
        message: `token ${ending_soon.join(", ")} is in use and expires within ${FEW_DAYS} days: make another one (\`chest-index token create --member NAME\`) and revoke the old one then`,
        fix: await indexCommand(inspected, "token list"),
      };
    }
    return {
      status: "ok",
      message: `${counted(live, "token")} of members beside the shared one, which is never an admin's`,
    };
  }),
);

const webhooks = about(
  "webhooks",
  "webhooks reach their receivers",
  ofBackend(async ({ webhooks: told }, inspected) => {
    if (!told) return { status: "skip", message: "it takes a backend of this release to tell" };
    const [worst] = [...told.failing].sort((a, b) => b.failures - a.failures);
    if (!worst)
      return { status: "ok", message: told.count === 0 ? "there are none" : `${told.count}, none of them fails` };
    return {
      status: "warn",
      message: `${told.failing.length} of ${told.count} fail: webhook ${worst.id} for ${worst.failures} attempts, ${worst.trouble}; nothing is lost while it is paused`,
      fix: await indexCommand(inspected, `webhooks test ${worst.id}`),
    };
  }),
);

const revokeAll = async (inspected: InspectedServer, ids: readonly number[]): Promise<string> =>
  (await Promise.all(ids.map((id) => indexCommand(inspected, `token revoke ${id}`)))).join(" && ");

export const machineChecks = {
  config,
  version,
  schema,
  disk,
  volume,
  permissions,
  lock,
  wal,
  text,
  vectors,
  embedder,
  identity,
  maintenance,
  backup,
  tokens,
  webhooks,
};
