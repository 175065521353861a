import { spawn } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";

const WEB = join(import.meta.dirname, "../../web");

export interface PageLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * Builds the page in a clone, where it is not built of the sources as they are. In a process of its own, and of low
 * priority: the backend answers already. @returns stops a build that has not ended.
 */
export function buildPage(log: PageLog): () => void {
  const vite = join(WEB, "node_modules/vite/bin/vite.js");
  if (!existsSync(vite) || isBuilt()) return () => {};
  const child = spawn(process.execPath, [vite, "build", WEB], { stdio: ["ignore", "ignore", "pipe"] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  child.once("error", ({ message }) => log.warn({ said: message }, "the page was not built"));
  child.once("exit", (code, signal) => {
    if (code !== 0 && signal === null) log.warn({ code, said }, "the page was not built");
  });
  return () => child.kill();
}

/** Is the built page newer than all that it is made of. */
function isBuilt(): boolean {
  const built = statSync(join(WEB, "dist/index.html"), { throwIfNoEntry: false });
  if (!built) return false;
  const sources = globSync(["src/**/*", "public/*", "index.html", "vite.config.ts", "package.json"], { cwd: WEB });
  return sources.every((file) => statSync(join(WEB, file)).mtimeMs <= built.mtimeMs);
}
