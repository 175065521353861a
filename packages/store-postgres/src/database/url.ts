import { CannotOpen } from "@chest/core/ports";
import { withoutPassword } from "@chest/core/redaction";

/** A database address for the driver, and for display without its password. */
export function readDatabaseUrl(text: string): { readonly url: string; readonly shownUrl: string } {
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new CannotOpen("CHEST_DATABASE_URL names no PostgreSQL", "write it as postgres://user@host/database");
  return { url: text, shownUrl: withoutPassword(text) };
}
