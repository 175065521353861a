import { CannotOpen } from "@chest/core";

/** A database's address as the driver takes it, and as it may be shown: without its password. */
export function readDatabaseUrl(text: string): { readonly url: string; readonly shownUrl: string } {
  if (!/^postgres(?:ql)?:\/\//.test(text))
    throw new CannotOpen("CHEST_DATABASE_URL names no PostgreSQL", "write it as postgres://user@host/database");
  return { url: text, shownUrl: shownUrl(text) };
}

/** Several hosts make it no URL of the standard, so the password is cut by hand. */
const shownUrl = (text: string): string =>
  text.replace(/^(\w+:\/\/[^/?#@:]*):[^@]*@/, "$1@").replace(/([?&]password=)[^&]*/gi, "$1…");
