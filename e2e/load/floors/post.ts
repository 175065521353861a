import { fileURLToPath } from "node:url";
import { freePort } from "../../support/free-port.ts";
import { cleanEnv, NODE_24, startProgram, waitUntilReady } from "../../support/process.ts";
import { Load, type Request, type Target } from "../requests.ts";

const TOKEN = "a-token-that-is-as-long-as-the-real-ones-are-and-means-nothing";

/** Copies a request for the floor server, with the same body and headers; the server does nothing with them. */
export const emptied = ({ body, headers }: Request): Request => ({ path: "/", body, ...(headers && { headers }) });

/** Copies a request for the floor server that also writes a memory's rows. */
export const asTransaction = (request: Request): Request => ({ ...emptied(request), path: "/transaction" });

/**
 * Starts the floor server, which answers authenticated POSTs and does nothing else, except to write rows if it is given
 * a database.
 */
export async function startPostFloor(database?: string): Promise<Target & { stop(): Promise<void> }> {
  const port = await freePort();
  const env = cleanEnv({ PORT: String(port), TOKEN, ...(database && { DATABASE: database }) });
  const program = startProgram(NODE_24, [fileURLToPath(new URL("./post-program.ts", import.meta.url))], env);
  const target = { url: `http://127.0.0.1:${port}`, token: TOKEN, pid: program.process.pid ?? 0 };
  await waitUntilReady(program, () => answers(target));
  return { ...target, stop: () => program.end("SIGTERM") };
}

async function answers(target: Target): Promise<boolean> {
  const load = new Load(target, 1);
  try {
    await load.send({ path: "/", body: {} });
    return true;
  } catch {
    return false; // The server is not listening yet.
  } finally {
    await load.close();
  }
}
