import { readFileSync } from "node:fs";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import { PrismaPg } from "@prisma/adapter-pg";
import { type GetPrismaClientConfig, getPrismaClient } from "@prisma/client/runtime/client";
import { type Model, modelsOf } from "./schema.ts";

/** Database that is checked: a file, or a server by the settings of its driver. */
export type Target =
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: string; readonly caFile?: string | undefined };

/** Prisma's client of a database, with the models that it asks for. */
export interface Client {
  readonly models: readonly Model[];
  /** Reads a row of a model, every column of it. */
  readOne(model: string): Promise<unknown>;
  count(model: string): Promise<number>;
  query<Row>(sql: string): Promise<readonly Row[]>;
  close(): Promise<void>;
}

const IS_SOURCE = import.meta.url.endsWith(".ts");
const PROVIDERS = { sqlite: "sqlite", postgres: "postgresql" } as const;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 10_000;

/** The schema of this release, beside the sources or beside the bundle. */
export const schemaOf = (engine: Target["engine"]): string =>
  readFileSync(
    new URL(IS_SOURCE ? `../../../prisma/${engine}/schema.prisma` : `./schema-${engine}.prisma`, import.meta.url),
    "utf8",
  );

/** Opens Prisma's client over a database; it only reads. */
export async function openClient(target: Target): Promise<Client> {
  const { engine } = target;
  const schema = engine === "sqlite" ? inWholeNumbers(schemaOf(engine)) : schemaOf(engine);
  const models = modelsOf(schema);
  const PrismaClient = getPrismaClient(configOf(engine, schema, models));
  // The methods of a model are made at run time, and no program is generated for the types of these.
  const client = new PrismaClient({ adapter: await adapterOf(target), log: [] }) as unknown as Methods;
  const methodsOf = (model: string) => client[model] as ModelMethods;
  return {
    models,
    readOne: (model) => methodsOf(model).findFirst(),
    count: (model) => methodsOf(model).count(),
    query: (sql) => client.$queryRawUnsafe(sql) as Promise<never>,
    close: () => client.$disconnect(),
  };
}

/** A whole number has 64 bits in SQLite, and 32 in Prisma: a memory may expire after 2038. */
const inWholeNumbers = (schema: string): string => schema.replace(/ Int\b/g, " BigInt");

interface Methods {
  $queryRawUnsafe(sql: string): Promise<readonly unknown[]>;
  $disconnect(): Promise<void>;
  readonly [model: string]: unknown;
}

interface ModelMethods {
  findFirst(): Promise<unknown>;
  count(): Promise<number>;
}

// Which arguments of a question are values, by its place: none here, where no question has arguments.
const NO_PARAMETERS = { strings: [], graph: Buffer.alloc(16).toString("base64url") };

/**
 * The configuration that Prisma's generator would write into a client, for reading rows as they are. The generator is a
 * program of 180 MB, which a build of the backend does without; a test compares both.
 */
function configOf(engine: Target["engine"], inlineSchema: string, models: readonly Model[]): GetPrismaClientConfig {
  const fieldsOf = ({ name, fields }: Model) => [name, { dbName: null, schema: null, fields }];
  return {
    ...{ previewFeatures: [], clientVersion: "7", engineVersion: "7", activeProvider: PROVIDERS[engine], inlineSchema },
    runtimeDataModel: { models: Object.fromEntries(models.map(fieldsOf)), enums: {}, types: {} },
    parameterizationSchema: NO_PARAMETERS,
    compilerWasm: { ...COMPILERS[engine], importName: "./query_compiler_small_bg.js" },
  };
}

const compiled = ({ wasm }: { readonly wasm: string }) => new WebAssembly.Module(Buffer.from(wasm, "base64"));

/** The small compilers: they take a little longer for a question, and half the place. */
const COMPILERS = {
  sqlite: {
    getRuntime: () => import("@prisma/client/runtime/query_compiler_small_bg.sqlite.mjs"),
    getQueryCompilerWasmModule: async () =>
      compiled(await import("@prisma/client/runtime/query_compiler_small_bg.sqlite.wasm-base64.mjs")),
  },
  postgres: {
    getRuntime: () => import("@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs"),
    getQueryCompilerWasmModule: async () =>
      compiled(await import("@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs")),
  },
};

async function adapterOf(target: Target) {
  if (target.engine === "sqlite")
    return new PrismaBetterSqlite3({ url: `file:${target.path}`, readonly: true, fileMustExist: true });
  const settings = {
    connectionString: target.url,
    max: 1,
    application_name: "chest/schema-check",
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Policies for rows let the store's own work see all of them.
    options: "-c chest.spaces=*",
    ...(target.caFile === undefined ? {} : { ssl: { ca: readFileSync(target.caFile, "utf8") } }),
  };
  return new PrismaPg(settings, { schema: await currentSchema(settings) });
}

/** Prisma names the schema in every statement, and takes `public` if it is not told. */
async function currentSchema(settings: ConstructorParameters<typeof PrismaPg>[0]): Promise<string> {
  const adapter = await new PrismaPg(settings).connect();
  try {
    const sql = "SELECT current_schema()::text";
    const { rows } = await adapter.queryRaw({ sql, args: [], argTypes: [] });
    return String(rows[0]?.[0] ?? "public");
  } finally {
    await adapter.dispose();
  }
}
