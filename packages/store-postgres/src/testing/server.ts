import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A PostgreSQL for tests: on loopback, with its data in a temporary folder. */
export interface TestServer {
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** URL of an empty database, reused if one was returned. */
  database(): Promise<string>;
  /** Gives a database back that is no longer used. */
  giveBack(url: string): void;
  /** Kills the server like a crash, and starts it again with the same data. */
  restart(): Promise<void>;
  /** Kills the server and keeps its data. */
  crash(): Promise<void>;
  /** Starts a synchronous standby: every commit waits for it from then on. */
  standby(): Promise<Standby>;
  stop(): Promise<void>;
}

/** Synchronous standby of a primary. */
export interface Standby {
  readonly port: number;
  /** Promotes it to primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const PACKAGED = "/usr/lib/postgresql";

/** Folder of the newest PostgreSQL with pgvector; undefined if there is none. */
function programs(): string | undefined {
  if (!existsSync(PACKAGED)) return undefined;
  const versions = readdirSync(PACKAGED).sort((a, b) => Number(b) - Number(a));
  const usable = versions.find(
    (version) =>
      existsSync(join(PACKAGED, version, "bin/initdb")) &&
      existsSync(`/usr/share/postgresql/${version}/extension/vector.control`),
  );
  return usable === undefined ? undefined : join(PACKAGED, usable, "bin");
}

/** Whether a server is available: from a variable, or installed on this machine. */
export function hasPostgres(): boolean {
  const isHere = process.env.CHEST_TEST_POSTGRES_URL !== undefined || programs() !== undefined;
  const required = (process.env.CHEST_E2E_REQUIRE ?? "").split(",").map((entry) => entry.trim());
  if (!isHere && required.includes("postgres"))
    throw new Error("CHEST_E2E_REQUIRE asks for postgres, and there is no server with pgvector here");
  return isHere;
}

export interface ServerOptions {
  /** Commits wait for the disk, as in production. */
  readonly isDurable?: boolean;
  /** Settings in addition to the default ones for tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts a server, or uses the one that a variable names. */
export async function startPostgres(options: ServerOptions = {}): Promise<TestServer> {
  const given = process.env.CHEST_TEST_POSTGRES_URL;
  if (given !== undefined) return namedServer(given);
  const bin = programs();
  if (bin === undefined) throw new Error("there is no PostgreSQL with pgvector here");
  const folder = mkdtempSync(join(tmpdir(), "chest-postgres-"));
  const account = accountFor(folder);
  execFileSync(
    join(bin, "initdb"),
    ["-D", join(folder, "data"), "-U", "chest", "-A", "trust", "--locale=C.UTF-8", "-E", "UTF8", "--no-sync"],
    { ...account, stdio: "ignore" },
  );
  const port = await freePort();
  const start = () => run({ bin, data: join(folder, "data"), port, account, options });
  let server = await start();
  const url = `postgres://chest@127.0.0.1:${port}/postgres`;
  return {
    port,
    get pid() {
      return server.pid ?? 0;
    },
    ...databasesOn(url),
    async restart() {
      await end(server);
      server = await start();
    },
    crash: () => end(server),
    async standby() {
      const data = join(folder, "standby");
      const copied = ["-d", `host=127.0.0.1 port=${port} user=chest application_name=standby`, "-D", data];
      execFileSync(join(bin, "pg_basebackup"), [...copied, "-R", "-X", "stream", "-c", "fast", "--no-sync"], account);
      const own = await freePort();
      const copy = await run({ bin, data, port: own, account, options });
      await onceOn(url, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await onceOn(url, "SELECT pg_reload_conf()");
      await until(async () => (await onceOn(url, SYNCHRONOUS)).length === 1);
      return {
        port: own,
        async promote() {
          // The standby itself must not wait for a standby.
          await onceOn(`postgres://chest@127.0.0.1:${own}/postgres`, "ALTER SYSTEM RESET synchronous_standby_names");
          await onceOn(`postgres://chest@127.0.0.1:${own}/postgres`, "SELECT pg_promote(), pg_reload_conf()");
        },
        stop: () => end(copy),
      };
    },
    async stop() {
      await end(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SYNCHRONOUS = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";

const namedServer = (url: string): TestServer => ({
  ...databasesOn(url),
  ...{ port: Number(new URL(url).port || 5432), pid: 0 },
  ...{ restart: notOurs, crash: notOurs, standby: notOurs, stop: async () => undefined },
});
const notOurs = () => Promise.reject(new Error("a server that a variable names is not ended or copied"));

/** Immediate shutdown, which leaves the same state as a crash. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill("SIGQUIT");
  await new Promise((resolve) => server.once("exit", resolve));
}

/** Account for the server, which refuses to run as root. */
function accountFor(folder: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid, cwd: folder };
}

interface Run {
  readonly bin: string;
  readonly data: string;
  readonly port: number;
  readonly account: ReturnType<typeof accountFor>;
  readonly options: ServerOptions;
}

async function run({ bin, data, port, account, options }: Run): Promise<ChildProcess> {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
    max_connections: "200",
    shared_buffers: "128MB",
    ...(options.isDurable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], { ...account, stdio: "ignore" });
  await until(() => {
    if (server.exitCode !== null) throw new Error("the server has ended");
    return onceOn(`postgres://chest@127.0.0.1:${port}/postgres`, "SELECT 1").then(
      () => true,
      () => false,
    );
  });
  return server;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); ) {
    if (Date.now() > end) throw new Error("the server was not ready within a minute");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function databasesOn(url: string): Pick<TestServer, "database" | "giveBack"> {
  const idle: string[] = [];
  let count = 0;
  return {
    async database() {
      const used = idle.pop();
      if (used !== undefined) {
        await againOn(used, EMPTY);
        return used;
      }
      count += 1;
      const name = `chest_${process.pid}_${Date.now().toString(36)}_${count}`;
      await onceOn(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      return url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
    },
    giveBack: (used) => void idle.push(used),
  };
}

// Empties all tables. Creating a database takes fifty times as long, and TRUNCATE of every table ten times.
const EMPTY = `DO $$ DECLARE name text; is_used boolean; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('chest_migrations', '_prisma_migrations', 'meta', 'members')
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO is_used;
    IF is_used THEN EXECUTE format('DELETE FROM %I', name); END IF;
  END LOOP;
  DELETE FROM members WHERE id > 2;
  DELETE FROM meta WHERE key NOT IN ('store_uid', 'places', 'needs');
  PERFORM setval(s.oid, 1, false) FROM pg_class s WHERE s.relkind = 'S' AND s.relnamespace = 'public'::regnamespace;
END $$`;

/**
 * Runs statements over a separate connection.
 * @returns rows of the last one
 */
export async function onceOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Connections of `againOn`, by database. */
const lasting = new Map<string, Promise<pg.Client>>();

/**
 * Runs statements over a connection that is kept for the next ones: a new one starts a process that reads the catalogue.
 * @returns rows of the last one
 */
export async function againOn(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const connecting = lasting.get(url) ?? lastingOn(url);
  lasting.set(url, connecting);
  connecting.catch(() => lasting.delete(url));
  return (await (await connecting).query(sql)).rows;
}

async function lastingOn(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Its server was ended or started anew.
  const forget = () => void lasting.delete(url);
  client.on("error", forget).on("end", forget);
  await client.connect();
  return client;
}

/** A transaction that waits before its commit, like that of a slow backend. */
export interface OpenTransaction {
  commit(): Promise<void>;
}

/** Runs statements in a transaction over a separate connection, and leaves it open. */
export async function begunOn(url: string, sql: string): Promise<OpenTransaction> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  await client.query(`BEGIN; ${sql}`);
  return {
    async commit() {
      await client.query("COMMIT");
      await client.end();
    },
  };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
