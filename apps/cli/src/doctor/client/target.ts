import type { Backend, OutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";
import type { EmbedderFor, EmbeddingIdentity } from "@chest/core/ports";
import type { Env } from "@chest/runtime";
import { commandForms, quoted } from "@chest/runtime/shell-words";
import type { Reach } from "../../connect/config.ts";
import { updateHere } from "../../connect/start-command.ts";
import type { Finding } from "../check.ts";

/** Settings and connections of the client that is examined. */
export interface InspectedClient {
  /** Environment that determines each agent's settings folder. */
  readonly env: Env;
  /** Undefined in local mode. */
  readonly remote: { readonly reach: Reach; readonly backend: Backend } | undefined;
  readonly outbox: OutboxFolder;
  readonly home: string;
  readonly cwd: string;
  readonly dataDir: string;
  /** The user's files of Claude Code: its folder, its settings, its list of servers. */
  readonly claudeDir: string;
  readonly claudeSettings: string;
  readonly claudeFile: string;
  /** Path of the store in local mode. */
  readonly dbPath: string;
  /** Folder of the store's backups. */
  readonly backupDir: string;
  /** Folders named by CHEST_ROOTS; undefined where it is not set. */
  readonly roots: readonly string[] | undefined;
  /** Embedding model of this machine. */
  readonly model: {
    readonly identity: EmbeddingIdentity;
    /** True when the user switched embedding off. */
    readonly isOff: boolean;
    /** True when an operator named the model; otherwise the store's own model is used. */
    readonly isNamed: boolean;
    /** True when an operator named the model or enabled embedding here, so that a missing model is a fault. */
    readonly isWanted: boolean;
    readonly of: EmbedderFor;
  };
}

export const LOCAL_MODE: Finding = { status: "skip", message: "local mode: there is no backend to ask" };

/**
 * Turns a failed call into a finding: the message says what is wrong and what to do, and `fix` is the command for it,
 * where one exists.
 */
export function failed(error: unknown, fix?: string): Finding {
  if (!(error instanceof ChestError)) throw error;
  return { status: "fail", message: [error.message, error.hint].filter(Boolean).join("\n"), fix: fixFor(error) ?? fix };
}

/** Command that shows more about a failed call than repeating the check would. */
export function fixFor({ code, details }: ChestError): string | undefined {
  if (code === "CLIENT_TOO_OLD") return updateHere();
  if (code !== "BACKEND_UNREACHABLE" || typeof details?.url !== "string") return undefined;
  const { host, port, hostname } = new URL(details.url);
  const aboutCertificate = ["authority", "expired", "wrong-name"].includes(String(details.reason));
  return aboutCertificate
    ? `openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname} </dev/null`
    : details.reason === "name"
      ? commandForms().lookingUp(host.replace(/:\d+$/, ""))
      : undefined;
}

/** Adds the position at which a file stops being valid JSON. */
export const parseFix = (file: string): string =>
  `node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' ${quoted(file)}`;
