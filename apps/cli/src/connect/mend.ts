import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLoopback } from "@chest/client";
import { ChestError } from "@chest/contracts";
import type { Env } from "@chest/runtime";
import { isSecret } from "@chest/runtime/own-name";
import { dataDirOf } from "@chest/runtime/profile";
import { commandOf } from "../terminal/usage.ts";
import { startCommand } from "./start-command.ts";

/**
 * Adds a hint to a failed call where this machine can fix it: the command that starts the backend, or the token that it
 * accepts.
 * @param words the arguments after the program's name.
 */
export async function mended<E>(error: E, words: readonly string[], env: Env): Promise<E | ChestError> {
  if (!(error instanceof ChestError) || typeof error.details?.url !== "string") return error;
  const hint = isDown(error) ? await startHint(error) : tokenHint(error, words, env);
  if (hint === undefined) return error;
  const { code, message, details, cause } = error;
  return new ChestError(code, message, { hint, details, cause });
}

export const isDown = ({ details }: ChestError): boolean => details?.reason === "refused";

async function startHint({ hint = "", details }: ChestError): Promise<string | undefined> {
  const start = await startCommand(String(details?.url));
  return start && [`\`${start}\` starts it`, ...hint.split("; ").slice(1)].join("; ");
}

function tokenHint(error: ChestError, words: readonly string[], env: Env): string | undefined {
  const file = ownToken(error, env);
  if (file === undefined) return undefined;
  const url = String(error.details?.url);
  const at = words.findIndex((word) => /^--token-file(=|$)/.test(word));
  const isOwnWord = words[at] !== "--token-file";
  const again =
    at >= 0
      ? words.toSpliced(at, isOwnWord ? 1 : 2, "--token-file", file)
      : words[0] === "setup"
        ? [...words, "--token-file", file]
        : ["setup", "--yes", "--docker", url, "--token-file", file];
  return `\`npm start\` made another one: \`${commandOf(again.filter((word) => !isSecret(word)))}\``;
}

/** Finds the token file that `npm start` made on this machine, when the local backend refuses another token. */
export function ownToken({ code, details }: ChestError, env: Env): string | undefined {
  if (code !== "UNAUTHORIZED" || typeof details?.url !== "string" || typeof details.token_from !== "string")
    return undefined;
  const file = join(dataDirOf(env), "token");
  const own = textOf(file);
  const isHere = own !== undefined && isLoopback(new URL(details.url).hostname);
  const from = details.token_from;
  const sent = from.startsWith("`") ? textOf(from.replaceAll("`", "")) : env[from]?.trim();
  return isHere && own !== sent ? file : undefined;
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}
