import { spawn } from "node:child_process";
import { once } from "node:events";
import { hasProgram } from "../requirements.ts";

/** Tracing another process wants root, or a system that lets everyone. */
export const canTrace = hasProgram("strace");

export interface Failing {
  /** The system answers truly again. */
  stop(): Promise<void>;
}

/** Lets a running process's system calls fail, such as `fdatasync:error=EIO`, in all its threads. */
export async function failing(pid: number, ...injections: readonly string[]): Promise<Failing> {
  const asked = injections.flatMap((injection) => ["-e", `inject=${injection}`]);
  const calls = injections.map((injection) => injection.split(":", 1)[0]).join(",");
  const args = ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, ...asked, "-p", String(pid)];
  const tracer = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(tracer, "close");
  // It says that it is attached, or why it is not.
  await Promise.race([once(tracer.stderr, "data"), closed]);
  tracer.stderr.resume();
  if (tracer.exitCode !== null) throw new Error(`strace ended at once with ${tracer.exitCode}`);
  return {
    async stop() {
      tracer.kill("SIGINT");
      await closed;
    },
  };
}
