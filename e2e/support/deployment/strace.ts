import { spawn } from "node:child_process";
import { once } from "node:events";
import { hasProgram } from "../requirements.ts";

/** Tracing another process needs root, or a system that allows it to all users. */
export const canTrace = hasProgram("strace");

export interface Failing {
  /** Ends the injected failures. */
  stop(): Promise<void>;
}

/** Makes system calls of a running process fail in all its threads, such as `fdatasync:error=EIO`. */
export async function failing(pid: number, ...injections: readonly string[]): Promise<Failing> {
  const options = injections.flatMap((injection) => ["-e", `inject=${injection}`]);
  const calls = injections.map((injection) => injection.split(":", 1)[0]).join(",");
  const args = ["-f", "-o", "/dev/null", "-e", `trace=${calls}`, ...options, "-p", String(pid)];
  const tracer = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  const closed = once(tracer, "close");
  // The program prints that it is attached, or why it is not.
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
