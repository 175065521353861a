import { ago, bytes, text } from "../../i18n/index.ts";

/** Facts that the doctor asks a backend for, as far as findings are made of them here. */
export interface HostFacts {
  readonly config: {
    readonly warnings: readonly string[];
    readonly backup_interval_hours: number;
    readonly can_embed: boolean;
    /** Absent where embedding is switched off. */
    readonly model?: string | undefined;
  };
  readonly store: {
    readonly pending: number;
    readonly unindexed: number;
    readonly unsegmented: number;
    readonly stray_indexed: number;
    readonly corrupt_vectors: number;
  };
  readonly place: {
    readonly free_bytes: number;
    readonly network: string | null;
    readonly files: readonly { readonly path: string; readonly is_closed: boolean }[];
  };
  readonly maintenance?: { readonly is_on: boolean; readonly last_outcome: string | null } | undefined;
  readonly tokens?: { readonly expired_in_use: readonly number[]; readonly ending_soon: readonly number[] } | undefined;
  readonly backups: { readonly count: number; readonly newest_at: string | null; readonly is_verified: boolean };
  readonly webhooks?: { readonly failing: readonly { readonly id: number }[] } | undefined;
  readonly request: { readonly is_forwarded: boolean; readonly is_proxy_believed: boolean };
}

export interface Finding {
  readonly message: string;
  /** Command that mends it; undefined where no command does. */
  readonly command?: string;
  readonly isBad: boolean;
}

const LEAST_FREE = 1_000_000_000;

/** Findings of the doctor that a backend can tell of itself, worst first. */
export function findingsOf({
  config,
  store,
  place,
  maintenance,
  tokens,
  backups,
  request,
  webhooks,
}: HostFacts): readonly Finding[] {
  const said = text.health.finding;
  const found: Finding[] = [];
  const note = (isBad: boolean, message: string, command?: string) =>
    found.push({ isBad, message, ...(command === undefined ? {} : { command }) });
  const missing = store.unindexed + store.unsegmented + store.stray_indexed;
  if (place.network !== null) note(true, said.network(place.network));
  if (place.free_bytes < LEAST_FREE) note(true, said.disk(bytes(place.free_bytes)));
  if (missing > 0) note(true, said.index(missing), "chest-index fts rebuild");
  if (store.corrupt_vectors > 0) note(true, said.corrupt(store.corrupt_vectors), "chest-index reembed");
  for (const { path } of place.files.filter(({ is_closed }) => !is_closed))
    note(true, said.open(path), `chmod go= '${path}'`);
  if (backups.count === 0) note(true, said.noBackup, "chest-index backup");
  else if (backups.newest_at !== null) {
    const isOld =
      Date.now() - Date.parse(backups.newest_at) > 3 * 3_600_000 * Math.max(24, config.backup_interval_hours);
    if (isOld) note(true, said.oldBackup(ago(backups.newest_at)), "chest-index backup");
    if (!backups.is_verified) note(false, said.unverified, "chest-index backup");
  }
  if (maintenance?.last_outcome === "failed") note(true, said.maintenanceFailed, "chest-index up");
  if (maintenance && !maintenance.is_on) note(false, said.maintenanceOff, "CHEST_AUTO_MAINTENANCE=1");
  if (tokens && tokens.expired_in_use.length > 0)
    note(true, said.expired(tokens.expired_in_use.length), "chest-index token create");
  if (tokens && tokens.ending_soon.length > 0)
    note(false, said.ending(tokens.ending_soon.length), "chest-index token create");
  const [failing, ...others] = webhooks?.failing ?? [];
  if (failing) note(true, said.webhooks(1 + others.length), `chest-index webhooks test ${failing.id}`);
  if (config.model === undefined) note(false, said.embeddingOff);
  else if (!config.can_embed) note(false, said.noEmbedder, "chest-index fetch-model");
  if (store.pending > 0) note(false, said.pending(store.pending), "chest-index pending-resync");
  if (request.is_forwarded && !request.is_proxy_believed) note(false, said.unknownProxy, "CHEST_TRUST_PROXY=1");
  for (const warning of config.warnings) note(false, said.warning(warning));
  return found.sort((a, b) => Number(b.isBad) - Number(a.isBad));
}
