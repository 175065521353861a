import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, onceOn } from "./server.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Whether PgBouncer is installed, in Debian's location. */
export const hasPooler = (): boolean => existsSync(PROGRAM);

/** Whether it supports prepared statements in transaction mode: since 1.21. */
export function poolerKeepsStatements(): boolean {
  if (!hasPooler()) return false;
  const [, minor = "0"] = /PgBouncer 1\.(\d+)/.exec(execFileSync(PROGRAM, ["--version"], { encoding: "utf8" })) ?? [];
  return Number(minor) >= 21;
}

export interface Pooler {
  /** URL of the database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in front of a database, with settings of its own. */
export async function startPooler(url: string, settings: Readonly<Record<string, string>>): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "chest-pooler-"));
  const port = await freePort();
  const { hostname, port: serverPort, username, pathname } = new URL(url);
  const all = {
    ...{ listen_addr: "127.0.0.1", listen_port: String(port), unix_socket_dir: "", auth_type: "any" },
    ...{ default_pool_size: "40", ...settings },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = `[databases]\n* = host=${hostname} port=${serverPort} user=${username}\n`;
  writeFileSync(join(folder, "pooler.ini"), `${databases}[pgbouncer]\n${lines.join("\n")}\n`);
  const program = spawn(PROGRAM, ["-q", join(folder, "pooler.ini")], { ...accountFor(folder), stdio: "ignore" });
  const through = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await untilAnswering(program, through);
  return {
    url: through,
    async stop() {
      program.kill("SIGKILL");
      await new Promise((resolve) => program.once("exit", resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Account for PgBouncer, which refuses to run as root. */
function accountFor(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o700);
  return { uid, gid };
}

async function untilAnswering(program: ChildProcess, url: string): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if (program.exitCode !== null) throw new Error("the pooler has ended");
    const isAnswering = await onceOn(url, "SELECT 1").then(
      () => true,
      () => false,
    );
    if (isAnswering) return;
  }
  throw new Error("the pooler was not ready within half a minute");
}
