import { ageOf, deliver, type Entry, MAX_AGE_MS, type OutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";
import { type OwedSession, owedSessions } from "@chest/runtime/owed-sessions";
import { defineCommand } from "citty";
import { openCourier, openOutbox } from "../compose.ts";
import { readConfig } from "../config.ts";
import { type ReadEntry, readEach } from "../outbox-summary.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../shell.ts";

const ID = { id: { type: "positional", description: "As `outbox list` shows it", required: true } } as const;

const TAKE_SESSIONS = "`chest-index sync` takes what they said now";

const list = defineCommand({
  meta: { name: "list", description: "What waits and what was refused, oldest first; no content" },
  args: { ...COMMON },
  async run({ data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const config = readConfig(env);
    const owed = owedSessions(config.dataDir);
    const rows = [...(await listRows(openOutbox(config))), ...owed.map(rowOfSession)];
    if (rows.length === 0) output.say("the outbox is empty");
    for (const { id, state, tool, queued_at, error } of rows) {
      output.show(`${id}  ${state}  ${tool}  ${queued_at}${error ? `  ${error.code}: ${error.message}` : ""}`);
    }
    if (owed.length > 0) output.hint(`sessions are told by the hooks when one starts or ends; ${TAKE_SESSIONS}`);
    output.document(rows);
    return rows.some(({ state }) => state !== "waiting") ? 1 : 0;
  },
});

const retry = defineCommand({
  meta: { name: "retry", description: "Send one now, whatever its age, even if it was refused" },
  args: { ...ID, ...COMMON, ...REACH },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const config = readConfig(env, args);
    const folder = openOutbox(config);
    const entry = (await folder.read(args.id)) ?? (await folder.readRefused(args.id)) ?? missing(args.id);
    if (!config.remote) throw otherBackend(entry);
    const courier = openCourier(config, config.remote);
    try {
      if (entry.url !== courier.url) throw otherBackend(entry);
      const { outcome, error } = await deliver(courier, entry, AbortSignal.timeout(config.remote.timeoutMs));
      if (outcome !== "delivered") throw error ?? notReached(courier.url);
      output.say(`delivered ${entry.id}`);
      output.document({ id: entry.id, outcome });
      return 0;
    } finally {
      courier.close();
    }
  },
});

const drop = defineCommand({
  meta: { name: "drop", description: "Discard one: it will not be stored" },
  args: { ...ID, ...COMMON },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    if (!(await openOutbox(readConfig(env)).remove(args.id))) return missing(args.id);
    output.say(`dropped ${args.id}`);
    output.document({ id: args.id, dropped: true });
    return 0;
  },
});

export const outbox = defineCommand({
  meta: { name: "outbox", description: "Writes of this machine that no backend has accepted yet" },
  args: COMMON,
  subCommands: { list, retry, drop },
});

interface Row {
  readonly id: string;
  readonly state: "waiting" | "too-old" | "refused" | "unreadable";
  readonly tool: string;
  readonly url: string | null;
  readonly queued_at: string;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

async function listRows(folder: OutboxFolder): Promise<Row[]> {
  const [waiting, refused] = await Promise.all([folder.waiting(), folder.refused()]);
  const read = await Promise.all([readEach(waiting, folder.read), readEach(refused, folder.readRefused)]);
  return read
    .flat()
    .map(rowOf)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function rowOf({ id, entry, error: unreadable }: ReadEntry): Row {
  if (!entry) {
    const why = unreadable && { error: { code: unreadable.code, message: unreadable.message } };
    return { id, state: "unreadable", tool: "?", url: null, queued_at: timeIn(id), ...why };
  }
  const { tool, url, queued_at, refused: error } = entry;
  if (error) return { id, state: "refused", tool, url, queued_at, error: { code: error.code, message: error.message } };
  return { id, state: ageOf(entry, new Date()) > MAX_AGE_MS ? "too-old" : "waiting", tool, url, queued_at };
}

const rowOfSession = ({ session, place, since }: OwedSession): Row => ({
  id: session,
  state: "waiting",
  tool: "session",
  url: place,
  queued_at: since,
});

/** An id begins with the time of its call. */
const timeIn = (id: string): string => new Date(Number(id.slice(0, 14))).toISOString();

function missing(id: string): never {
  throw new ChestError("NOT_FOUND", `\`${id}\` not found in the outbox`, {
    hint: "`chest-index outbox list` shows what is there",
  });
}

const otherBackend = ({ url }: Entry) =>
  new ChestError("INVALID_INPUT", `it waits for ${url}, which is not the backend in use here`, {
    hint: `\`chest-index … --remote-url ${url}\` sends it there`,
  });

const notReached = (url: string) =>
  new ChestError("BACKEND_UNREACHABLE", `no answer from ${url}`, { hint: "`chest-index doctor client` tells why" });
