import { fileURLToPath } from "node:url";
import { absolutePath } from "./absolute-path.ts";

/**
 * The file that a `file:` URL names, as `DATABASE_URL` does; a relative one starts where the program was started.
 * Undefined for every other database, and for none that is kept.
 */
export function storeFileOf(url: string): string | undefined {
  const [, given = ""] = /^file:([^?#]*)/i.exec(url.trim()) ?? [];
  if (given === "" || given === ":memory:") return undefined;
  if (!given.startsWith("//")) return absolutePath(given);
  try {
    const { host, href } = new URL(`file:${given}`);
    return host === "" ? fileURLToPath(href) : undefined;
  } catch {
    return undefined; // No URL at all.
  }
}
