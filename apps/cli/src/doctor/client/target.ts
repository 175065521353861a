import type { Backend, OutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";
import type { EmbedderFor, EmbeddingIdentity } from "@chest/core";
import type { Env } from "@chest/runtime";
import { commandForms, quoted } from "@chest/runtime/shell-words";
import type { Reach } from "../../connect/config.ts";
import { updateHere } from "../../connect/start-command.ts";
import type { Finding } from "../check.ts";

/** The client that is looked at: its settings, and what they lead to. */
export interface InspectedClient {
  /** Environment, from which each agent's settings folder follows. */
  readonly env: Env;
  /** Undefined in local mode. */
  readonly remote: { readonly reach: Reach; readonly backend: Backend } | undefined;
  readonly outbox: OutboxFolder;
  readonly home: string;
  readonly cwd: string;
  readonly dataDir: string;
  /** Files of Claude Code that are the user's: its folder, its settings, its file with servers. */
  readonly claudeDir: string;
  readonly claudeSettings: string;
  readonly claudeFile: string;
  /** The store of local mode. */
  readonly dbPath: string;
  /** Folder of that store's backups. */
  readonly backupDir: string;
  /** Folders that CHEST_ROOTS names; undefined where it is not set. */
  readonly roots: readonly string[] | undefined;
  /** The model that embeds here, and whether it could. */
  readonly model: {
    readonly identity: EmbeddingIdentity;
    /** Whether embedding is switched off here by choice. */
    readonly isOff: boolean;
    /** An operator named it; otherwise the store's own is meant. */
    readonly isNamed: boolean;
    /** An operator named it, or wants this machine to embed: that it lacks is amiss. */
    readonly isWanted: boolean;
    readonly of: EmbedderFor;
  };
}

export const LOCAL_MODE: Finding = { status: "skip", message: "local mode: there is no backend to ask" };

/** A failed call as a finding: what is so and what to do in the message, and the command that mends it, where there is one. */
export function failed(error: unknown, fix?: string): Finding {
  if (!(error instanceof ChestError)) throw error;
  return { status: "fail", message: [error.message, error.hint].filter(Boolean).join("\n"), fix: fixFor(error) ?? fix };
}

/** The command that shows more of a failed call, where there is a better one than asking again. */
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

/** Shows where a file is no JSON. */
export const parseFix = (file: string): string =>
  `node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))' ${quoted(file)}`;
