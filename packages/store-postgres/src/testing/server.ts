import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** A PostgreSQL for tests: on loopback, with its data in a folder of its own, gone when it is stopped. */
export interface TestServer {
  /** A fresh, empty database: one that was given back, where there is one. */
  database(): Promise<string>;
  /** Gives a database back that nobody uses any more. */
  giveBack(url: string): void;
  /** Ends the server at once, as a crash would, and starts it again over the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const PACKAGED = "/usr/lib/postgresql";

/** The programs of the newest server here that has pgvector; undefined where there is none. */
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

/** Is a server to be had: the one that a variable names, or one of the packages of this machine. */
export function hasPostgres(): boolean {
  const isHere = process.env.CHEST_TEST_POSTGRES_URL !== undefined || programs() !== undefined;
  const required = (process.env.CHEST_E2E_REQUIRE ?? "").split(",").map((entry) => entry.trim());
  if (!isHere && required.includes("postgres"))
    throw new Error("CHEST_E2E_REQUIRE asks for postgres, and there is no server with pgvector here");
  return isHere;
}

export interface ServerOptions {
  /** Writes reach the disk before they are answered, as on a server of earnest. */
  readonly isDurable?: boolean;
}

/** Starts a server, or uses the one that a variable names. */
export async function startPostgres({ isDurable = false }: ServerOptions = {}): Promise<TestServer> {
  const given = process.env.CHEST_TEST_POSTGRES_URL;
  if (given !== undefined) return { ...databasesOn(given), restart: notOurs, stop: async () => undefined };
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
  const start = () => run(bin, folder, port, account, isDurable);
  let server = await start();
  const end = async () => {
    // Immediate shutdown: what a crash leaves.
    server.kill("SIGQUIT");
    await new Promise((resolve) => (server.exitCode === null ? server.once("exit", resolve) : resolve(undefined)));
  };
  return {
    ...databasesOn(`postgres://chest@127.0.0.1:${port}/postgres`),
    async restart() {
      await end();
      server = await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const notOurs = () => Promise.reject(new Error("a server that a variable names is not restarted"));

/** The account that runs it: the server refuses root's. */
function accountFor(folder: string): { uid?: number; gid?: number; cwd: string } {
  if (process.getuid?.() !== 0) return { cwd: folder };
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid, cwd: folder };
}

async function run(
  bin: string,
  folder: string,
  port: number,
  account: { uid?: number; gid?: number; cwd: string },
  isDurable: boolean,
) {
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
    max_connections: "200",
    shared_buffers: "128MB",
    ...(isDurable ? {} : { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(bin, "postgres"), ["-D", join(folder, "data"), ...flags], { ...account, stdio: "ignore" });
  const url = `postgres://chest@127.0.0.1:${port}/postgres`;
  for (const until = Date.now() + 60_000; ; ) {
    try {
      await onceOn(url, "SELECT 1");
      break;
    } catch (error) {
      if (server.exitCode !== null || Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return server;
}

function databasesOn(url: string): Pick<TestServer, "database" | "giveBack"> {
  const idle: string[] = [];
  let count = 0;
  return {
    async database() {
      const used = idle.pop();
      if (used !== undefined) {
        await onceOn(used, EMPTY);
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

// As the migrations leave it. A database made anew takes fifty times as long, and TRUNCATE of every table ten times.
const EMPTY = `DO $$ DECLARE name text; is_used boolean; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('chest_migrations', 'meta', 'members')
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO is_used;
    IF is_used THEN EXECUTE format('DELETE FROM %I', name); END IF;
  END LOOP;
  DELETE FROM members WHERE id > 2;
  DELETE FROM meta WHERE key NOT IN ('store_uid', 'places', 'needs');
  PERFORM setval(s.oid, 1, false) FROM pg_class s WHERE s.relkind = 'S' AND s.relnamespace = 'public'::regnamespace;
END $$`;

/** Runs statements over a connection of their own. @returns rows of the last one */
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

/** A transaction that waits before its commit, as one of a slow backend would. */
export interface OpenTransaction {
  commit(): Promise<void>;
}

/** Runs statements in a transaction of their own connection, and leaves it open. */
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

/** Nobody listens there: the system gave it a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
