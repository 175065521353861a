import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Env } from "@chest/runtime";
import { hostOf } from "@chest/runtime/hosts";
import { type TranscriptFile, transcriptAt } from "./find.ts";

interface SessionRow {
  readonly id: string;
  readonly directory: string;
  readonly time_updated: number;
}

interface PartRow {
  readonly id: string;
  readonly message: string;
  readonly at: number;
  readonly said: string;
  readonly part: string;
}

const openCodeStore = ({ XDG_DATA_HOME }: Env): string =>
  join(XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode", "opencode.db");

/** Sessions of OpenCode's store, the oldest first, with what reading them takes. */
export async function openCodeRecords(
  env: Env,
  written: string,
): Promise<Pick<TranscriptFile, "bytes" | "changedAt">[]> {
  return inStore(env, async (db) => {
    const size = db.prepare(
      "SELECT coalesce(sum(length(CAST(data AS BLOB))), 0) AS bytes FROM part WHERE session_id = ?",
    );
    const sizes = sessionsIn(db, written).map(({ id, time_updated }) => {
      const { bytes } = size.get(id) as { readonly bytes: number };
      return { bytes, changedAt: time_updated };
    });
    return sizes.filter(({ bytes }) => bytes > 0);
  });
}

/**
 * Writes the sessions that OpenCode keeps in a database into a folder, as transcripts. Sessions that the hooks recorded
 * are left out; so is the whole database if it has another form, or if this Node has no SQLite.
 */
export async function openCodeSessions(env: Env, written: string, folder: string): Promise<TranscriptFile[]> {
  return inStore(env, async (db) => {
    const parts = db.prepare(
      `SELECT p.id, p.message_id AS message, m.time_created AS at, m.data AS said, p.data AS part
       FROM part p JOIN message m ON m.id = p.message_id WHERE p.session_id = ? ORDER BY m.time_created, m.id, p.id`,
    );
    await mkdir(folder, { recursive: true });
    const files: TranscriptFile[] = [];
    for (const session of sessionsIn(db, written)) {
      const lines = linesOf(session, parts.all(session.id) as unknown as PartRow[]);
      if (lines.length === 0) continue;
      const path = join(folder, `${session.id}.jsonl`);
      await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
      await utimes(path, session.time_updated / 1000, session.time_updated / 1000);
      files.push(await transcriptAt(path));
    }
    return files;
  });
}

/** Reads OpenCode's store; nothing where there is none, where it has another form, and on a Node without SQLite. */
async function inStore<T>(env: Env, read: (db: DatabaseSync) => Promise<T[]>): Promise<T[]> {
  const store = openCodeStore(env);
  const sqlite = existsSync(store) ? await import("node:sqlite").catch(() => undefined) : undefined;
  if (!sqlite) return [];
  try {
    const db = new sqlite.DatabaseSync(store, { readOnly: true });
    try {
      return await read(db);
    } finally {
      db.close();
    }
  } catch {
    return []; // The database belongs to a release with other tables.
  }
}

/** Sessions of a person, without those that the hooks have written down. */
const sessionsIn = (db: DatabaseSync, written: string): SessionRow[] =>
  (
    db
      .prepare("SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_updated")
      .all() as unknown as SessionRow[]
  ).filter(({ id }) => !existsSync(join(written, `${id}.jsonl`)));

/**
 * Converts a session to transcript lines in Claude Code's form. Stops before the first unfinished answer, so that a
 * later reading yields the same lines and then more.
 */
function linesOf({ id: sessionId, directory: cwd }: SessionRow, rows: readonly PartRow[]): object[] {
  const lines: object[] = [];
  for (const { id: uuid, at, said, part } of rows) {
    const { role, time } = JSON.parse(said);
    if (role === "assistant" && time?.completed === undefined) break;
    const about = { uuid, sessionId, cwd, timestamp: new Date(at).toISOString() };
    for (const message of messagesOf(role, uuid, JSON.parse(part)))
      lines.push({ type: message.role, ...about, message });
  }
  return lines;
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: readonly object[];
}

function messagesOf(role: Message["role"], id: string, part: Readonly<Record<string, unknown>>): Message[] {
  if (part.type === "text" && typeof part.text === "string" && part.synthetic !== true) {
    const { prompt: text = part.text } = role === "user" ? (hostOf("opencode")?.read({ prompt: part.text }) ?? {}) : {};
    return [{ role, content: [{ type: "text", text }] }];
  }
  if (part.type !== "tool") return [];
  const { input, output, error, metadata, status } = (part.state ?? {}) as Readonly<Record<string, unknown>>;
  const { exit } = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  const event = {
    tool_name: part.tool,
    tool_input: input,
    tool_output: error ?? output,
    exit: status === "error" ? 1 : exit,
  };
  const { tool_name, tool_input, error: failure } = hostOf("opencode")?.read(event) ?? {};
  const result = {
    type: "tool_result",
    tool_use_id: id,
    ...(failure === undefined ? {} : { is_error: true, content: failure }),
  };
  return [
    { role: "assistant", content: [{ type: "tool_use", id, name: tool_name, input: tool_input }] },
    { role: "user", content: [result] },
  ];
}
