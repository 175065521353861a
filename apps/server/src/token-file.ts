import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIN_TOKEN_LENGTH } from "@chest/contracts";
import { StartError } from "@chest/runtime";

/** Reads the token of this installation from its file. The first start creates the file, readable by its owner only. */
export function tokenIn(dataDir: string): { readonly token: string; readonly file: string } {
  const file = join(dataDir, "token");
  const token = (readToken(file) ?? makeToken(file)).trim();
  if (token.length >= MIN_TOKEN_LENGTH) return { token, file };
  throw new StartError(
    `the token in \`${file}\` has fewer than ${MIN_TOKEN_LENGTH} characters`,
    "delete the file and start again: a new token is made, and every client needs that one",
  );
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (code === "ENOENT") return undefined;
    throw new StartError(
      `the token in \`${file}\` cannot be read (${code})`,
      "make it readable for this account",
      error,
    );
  }
}

/**
 * Writes the token to another file and links it, so that of two first starts one makes the token and both read it
 * whole.
 */
function makeToken(file: string): string {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `cht_${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8");
}
