import { CannotOpen, withoutPassword } from "@chest/core";

/** A database's address as the driver takes it, and as it may be shown: without its password. */
export function readDatabaseUrl(text: string): { readonly url: string; readonly shownUrl: string } {
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new CannotOpen("CHEST_DATABASE_URL names no PostgreSQL", "write it as postgres://user@host/database");
  return { url: text, shownUrl: withoutPassword(text) };
}
