import { setTimeout as sleep } from "node:timers/promises";
import { WIRE_VERSION } from "@chest/contracts";
import { type ConnectionOptions, Connections, type Reading } from "../database/connection.ts";

/** With fewer rows all vectors are compared: at most a tenth of a second on one core, and exact. */
const EXACT_UP_TO = 20_000;
const LOOK_EVERY_MS = 60_000;

export interface VectorIndexOptions {
  readonly connection: Pick<ConnectionOptions, "url" | "caFile" | "password">;
  readonly reader: Connections;
  readonly warn: (fields: object, message: string) => void;
  readonly exactUpTo?: number | undefined;
  readonly lookEveryMs?: number | undefined;
}

interface Indexed {
  readonly name: string;
  readonly is_valid: boolean;
  readonly is_building: boolean;
}

const INDEXES = `SELECT c.relname AS name, i.indisvalid AS is_valid,
    EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.relid = i.indrelid) AS is_building
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = 'vectors'::regclass AND c.relname ~ '^vectors_near_[0-9]+$'`;

// The active and the next identity.
const NAMED = `SELECT i.id, i.dimensions, (SELECT count(*) FROM (SELECT 1 FROM vectors v WHERE v.identity_id = i.id LIMIT ?) some_of_them) AS rows
  FROM embedding_identities i JOIN meta n ON n.key IN ('active_identity', 'next_identity')
    AND n.value::jsonb = jsonb_build_array(i.model, i.revision, i.dimensions, i.pooling)`;

// Version of pgvector. Only recent ones have iterative scans, which continue if a filter leaves too few rows.
const GOES_ON = `SELECT string_to_array(split_part(extversion, '-', 1), '.')::int[] >= ARRAY[0, 8] AS does
  FROM pg_extension WHERE extname = 'vector'`;
// Longer vectors cannot have an HNSW index.
const MOST_DIMENSIONS = 4000;

/**
 * Approximate vector indexes, one for each large identity. Any backend creates a missing one without blocking reads and
 * writes, and the others notice within a minute.
 */
export class VectorIndexes {
  readonly exactUpTo: number;
  readonly #options: VectorIndexOptions;
  readonly #name = `chest-vectors/${WIRE_VERSION}/${crypto.randomUUID().slice(0, 8)}`;
  readonly #ended = new AbortController();
  readonly #looking: Promise<void>;
  #usable: ReadonlySet<number> = new Set();

  constructor(options: VectorIndexOptions) {
    this.#options = options;
    this.exactUpTo = options.exactUpTo ?? EXACT_UP_TO;
    this.#looking = this.#lookNowAndThen();
  }

  has(identityId: number): boolean {
    return this.#usable.has(identityId);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    const ours = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE application_name = ? AND state = 'active'";
    await this.#options.reader.all(ours, this.#name).catch(() => undefined);
    await this.#looking;
  }

  async #lookNowAndThen(): Promise<void> {
    const { lookEveryMs = LOOK_EVERY_MS, warn } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        await this.#read();
        // A command ends within the first minute, so only servers create indexes.
        await sleep(lookEveryMs, undefined, { signal, ref: false });
        await this.#mend();
      } catch (error) {
        if (signal.aborted) return;
        warn({ err: error }, "an index of vectors could not be built: every vector is compared meanwhile");
        await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async #read(): Promise<readonly Indexed[]> {
    const { reader } = this.#options;
    const indexes = await reader.all<Indexed>(INDEXES);
    const goesOn = (await reader.get<{ does: boolean }>(GOES_ON))?.does === true;
    const usable = goesOn ? indexes.filter(({ is_valid }) => is_valid) : [];
    this.#usable = new Set(usable.map(({ name }) => identityOf(name)));
    return indexes;
  }

  /** Creates missing indexes; drops unfinished ones and those of removed vectors. */
  async #mend(): Promise<void> {
    const { reader, connection } = this.#options;
    const indexes = await this.#read();
    if (indexes.some(({ is_building }) => is_building)) return;
    const named = await reader.all<{ id: number; dimensions: number; rows: number }>(NAMED, this.exactUpTo + 1);
    const wanted = named.filter(({ rows, dimensions }) => rows > this.exactUpTo && dimensions <= MOST_DIMENSIONS);
    const useless = indexes.filter(
      ({ name, is_valid }) => !is_valid || !named.some(({ id }) => id === identityOf(name)),
    );
    const missing = wanted.filter(
      ({ id }) => !indexes.some(({ name, is_valid }) => is_valid && identityOf(name) === id),
    );
    if (useless.length === 0 && missing.length === 0) return;
    const maker = new Connections({
      ...connection,
      name: this.#name,
      most: 1,
      statementTimeoutMs: 0,
      lockTimeoutMs: 0,
    });
    try {
      for (const { name } of useless) await maker.script(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      for (const { id, dimensions } of missing)
        await maker.script(
          `CREATE INDEX CONCURRENTLY IF NOT EXISTS vectors_near_${id} ON vectors
           USING hnsw ((vector::halfvec(${dimensions})) halfvec_cosine_ops) WHERE identity_id = ${id}`,
        );
    } finally {
      await maker.close();
    }
    await this.#read();
  }
}

const identityOf = (name: string): number => Number(name.replace("vectors_near_", ""));

const FEW_S = 60;
const MOST_KEPT = 1000;

/** Tells whether spaces have more memories than are compared exactly; cached for a minute. */
export function scopeSizes(reader: Reading, most: number) {
  const kept = new Map<string, { readonly until: number; readonly isLarge: Promise<boolean> }>();
  return (spaces: readonly string[]): Promise<boolean> => {
    const key = [...spaces].sort().join(" ");
    const known = kept.get(key);
    if (known && performance.now() < known.until) return known.isLarge;
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM memories m WHERE m.space = ANY (?) AND m.archived_at IS NULL LIMIT ?) some_of_them`;
    const isLarge = reader.get<{ n: number }>(sql, spaces, most + 1).then((row) => (row?.n ?? 0) > most);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, { until: performance.now() + FEW_S * 1000, isLarge });
    isLarge.catch(() => kept.delete(key));
    return isLarge;
  };
}
