import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import { schemaOf, type Target } from "../client.ts";

/** The engine behind Prisma's `migrate status` and `migrate deploy`, over one database and the migrations of this release. */
export interface PrismaMigrate {
  /** Tells how the database's record of migrations compares with their folder, as `migrate status` does. */
  status(): Promise<bindings.DiagnoseMigrationHistoryOutput>;
  /** Applies what the record lacks, as `migrate deploy` does. */
  deploy(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const NO_FILTERS = { externalTables: [], externalEnums: [] };

/** Opens Prisma's engine. The program of 20 MB that Prisma downloads is made of the same sources. */
export async function openPrismaMigrate(target: Target): Promise<PrismaMigrate> {
  load();
  const { factory, close } = withCleanup(
    target.engine === "sqlite" ? fileOf(target.path) : new PrismaPg({ connectionString: target.url }),
  );
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [["schema.prisma", schemaOf(target.engine)]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(factory) as never,
  );
  const migrationsList = listOf(join(import.meta.dirname, "../../../../prisma", target.engine, "migrations"));
  return {
    status: () =>
      engine.diagnoseMigrationHistory({ migrationsList, optInToShadowDatabase: false, filters: NO_FILTERS }),
    deploy: async () => (await engine.applyMigrations({ migrationsList, filters: NO_FILTERS })).appliedMigrationNames,
    async close() {
      engine.free();
      await close();
    },
  };
}

/** Keeps the connections of a factory, because the engine leaves them open, and a file locked. */
function withCleanup(factory: SqlMigrationAwareDriverAdapterFactory) {
  const opened: SqlDriverAdapter[] = [];
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    opened.push(adapter);
    return adapter;
  };
  return { factory, close: () => Promise.all(opened.map((adapter) => adapter.dispose())) };
}

const fileOf = (path: string) => new PrismaBetterSqlite3({ url: `file:${path}`, fileMustExist: true });

/** The folder as Prisma's program reads it: each folder in it is a migration. */
function listOf(baseDir: string): bindings.MigrationList {
  const folders = readdirSync(baseDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return {
    baseDir,
    lockfile: { path: "migration_lock.toml", content: readFileSync(join(baseDir, "migration_lock.toml"), "utf8") },
    shadowDbInitScript: "",
    migrationDirectories: folders
      .map(({ name }) => name)
      .sort()
      .map((path) => ({ path, migrationFile: { path: "migration.sql", content: contentOf(join(baseDir, path)) } })),
  };
}

const contentOf = (folder: string) =>
  ({ tag: "ok", value: readFileSync(join(folder, "migration.sql"), "utf8") }) as const;

let isLoaded = false;

/** Compiles the engine once a process. */
function load(): void {
  if (isLoaded) return;
  const file = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module = new WebAssembly.Module(readFileSync(file.replace(/\.js$/, ".wasm")));
  const { exports } = new WebAssembly.Instance(module, { "./schema_engine_bg.js": bindings } as never);
  bindings.__wbg_set_wasm(exports);
  (exports as { readonly __wbindgen_start: () => void }).__wbindgen_start();
  isLoaded = true;
}
