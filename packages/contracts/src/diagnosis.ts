import { z } from "zod";

/** Facts about a database that is a server of its own. */
const serverFacts = z.looseObject({
  version: z.string(),
  vector_version: z.string(),
  connections: z.int(),
  max_connections: z.int(),
  durable: z.boolean(),
  synchronous_commit: z.string(),
  standbys: z.int(),
  synchronous_standbys: z.int(),
  lag_bytes: z.number().nullable(),
  archiving: z.boolean(),
  last_archived_ago_s: z.int().nullable(),
  oldest_transaction_s: z.int(),
  clock_ahead_ms: z.int(),
  releases: z.array(z.string()),
});

/** Comparison of the database, as Prisma's client finds it, with the schema of this release. No content. */
const schemaFacts = z.looseObject({
  /** `absent`: this build does not carry the check; `failed`: it could not be made. `reason` says why. */
  state: z.enum(["made", "absent", "failed"]),
  reason: z.string().optional(),
  /** Each table of which a row was read, in the order of the schema. */
  tables: z.array(
    z.looseObject({
      name: z.string(),
      /** Null where counting would have taken too long. */
      rows: z.int().nullable(),
      /** Code of the error that reading a row ended with. */
      error: z.string().optional(),
    }),
  ),
  missing_tables: z.array(z.string()),
  /** As `table.column`. */
  missing_columns: z.array(z.string()),
  foreign_tables: z.array(z.string()),
  foreign_columns: z.array(z.string()),
  /** Tables of Chest that the schema does not describe: text and vector indexes, the records of migrations. */
  own_tables: z.array(z.string()),
  /** Migrations of which Prisma's record, `_prisma_migrations`, says something else than Chest's ledger. */
  misrecorded_migrations: z.array(z.string()).optional(),
});
export type SchemaFacts = z.infer<typeof schemaFacts>;

/** One judgement about a backend, made from its facts alone. */
const hostFinding = z.object({
  /** Check that it answers, without `server.` before it. */
  id: z.string(),
  /** A note has nothing to mend, and tells of something that is off or still to come. */
  status: z.enum(["ok", "note", "skip", "warn", "fail"]),
  /** In English. */
  message: z.string(),
  /** Code of the message, for a reader that words it in another language with `values`. */
  code: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** Step that mends it. */
  mend: z
    .looseObject({
      /** `index`: each command is one of `chest-index`; `offline`: the same, while the backend is stopped. */
      by: z.enum(["index", "offline", "shell", "restart", "update"]),
      /** Run one after the other; absent for `restart` and `update`. */
      commands: z.array(z.string()).optional(),
    })
    .optional(),
});
export type HostFinding = z.infer<typeof hostFinding>;

/** The whole database looked through. */
export const dbFacts = z.looseObject({
  db_path: z.string(),
  exists: z.boolean(),
  size_bytes: z.int(),
  integrity_check: z.string(),
  journal_mode: z.string(),
  tables_present: z.array(z.string()),
  missing_tables: z.array(z.string()),
  writable: z.boolean(),
  error: z.string().optional(),
  server: z.optional(serverFacts),
  /** Absent from older backends. */
  schema: z.optional(schemaFacts),
  /** Judgements on these facts. Absent from older backends. */
  findings: z.optional(z.array(hostFinding)),
});
/** How `integrity_check` begins where every row is whole, and the full-text index, which is made of them, is not. */
export const INDEX_ALONE = "the text index alone is damaged";

export type DbFacts = z.infer<typeof dbFacts>;

/** A token that ends within this time is reported as ending soon. */
export const TOKEN_ENDS_SOON_MS = 14 * 86_400_000;

/** Facts about a backend, its store and its machine, for a doctor. No content, no names, no secret. */
export const hostFacts = z.looseObject({
  ok: z.literal(true),
  server_version: z.string(),
  time: z.string(),
  /** How long it has run; absent from older backends. */
  uptime_s: z.number().optional(),
  config: z.looseObject({
    warnings: z.array(z.string()),
    trust_proxy_hops: z.int(),
    /** Address it listens on; in a container that is every one. Absent from older backends. */
    bind_host: z.string().optional(),
    backup_interval_hours: z.number(),
    can_embed: z.boolean(),
    /** The model that is configured; absent from a backend that embeds nothing. */
    model: z.string().optional(),
  }),
  store: z.looseObject({
    schema: z.string(),
    known_schema: z.string(),
    bytes: z.int(),
    log_bytes: z.int(),
    memories: z.int(),
    live: z.int(),
    pending: z.int(),
    unsegmented: z.int(),
    unindexed: z.int(),
    stray_indexed: z.int(),
    vectors: z.int(),
    corrupt_vectors: z.int(),
    /** Model of the active vectors, and the model that the store is moving to. */
    model: z.string().optional(),
    next_model: z.string().optional(),
  }),
  place: z.looseObject({
    free_bytes: z.number(),
    total_bytes: z.number(),
    network: z.string().nullable(),
    files: z.array(
      z.looseObject({
        what: z.string(),
        path: z.string(),
        mode: z.string(),
        is_closed: z.boolean(),
        is_owned: z.boolean(),
      }),
    ),
  }),
  /** Absent from a backend of before it was told. Runs that only compare new vectors are not among them. */
  maintenance: z
    .looseObject({
      is_on: z.boolean(),
      interval_s: z.number(),
      last_at: z.string().nullable(),
      last_outcome: z.enum(["done", "stopped", "failed", "running"]).nullable(),
      /** The last sign of life before the last run, where the clock may have jumped since; absent from older backends. */
      waits_since: z.string().nullable().optional(),
    })
    .optional(),
  /** Tokens of members, by id. Absent from a backend of before it was told. */
  tokens: z.looseObject({ live: z.int(), expired_in_use: z.array(z.int()), ending_soon: z.array(z.int()) }).optional(),
  /** How OAuth clients and browsers come in. Absent from a backend of before it was told. */
  sign_in: z
    .looseObject({
      public_url: z.string().nullable(),
      sso: z.looseObject({ provider: z.string(), issuer: z.string(), client_id: z.string() }).nullable(),
    })
    .optional(),
  /** Webhooks of members, by id. Absent from a backend of before there were any. */
  webhooks: z
    .looseObject({
      count: z.int(),
      failing: z.array(z.looseObject({ id: z.int(), failures: z.int(), trouble: z.string() })),
    })
    .optional(),
  backups: z.looseObject({ count: z.int(), newest_at: z.string().nullable(), is_verified: z.boolean() }),
  /** How this very request came in. */
  request: z.looseObject({ is_forwarded: z.boolean(), is_proxy_believed: z.boolean() }),
  /** Judgements on these facts, in the order of the doctor's report. Absent from older backends. */
  findings: z.array(hostFinding).optional(),
});
export type HostFacts = z.infer<typeof hostFacts>;
