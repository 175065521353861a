import { join } from "node:path";
import { ageOf, deliver, type Entry, isOf, MAX_AGE_MS, type OutboxFolder, type Outcome, tryLock } from "@chest/client";
import { ChestError } from "@chest/contracts";
import { type UndeliveredSession, undeliveredSessions } from "@chest/runtime/undelivered-sessions";
import { openCourier, openOutbox } from "../../connect/backend.ts";
import { type Config, type Reach, readConfig } from "../../connect/config.ts";
import { type ReadEntry, readEach } from "../../render/outbox.ts";
import { commandGroup, type ExitCode, ownCommand, reachingCommand } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { onOneLine } from "../../terminal/strip-control-characters.ts";
import { UsageError } from "../../terminal/usage.ts";

const ID = { id: { type: "positional", description: "As `outbox list` shows it", required: true } } as const;

const TAKE_SESSIONS = "`chest-index sync` sends them now";

const list = ownCommand({
  meta: { name: "list", description: "List waiting and refused writes, oldest first, and what each is about" },
  async run(_, { env, output }) {
    const config = readConfig(env);
    const undelivered = undeliveredSessions(config.dataDir);
    const rows = [...(await listRows(openOutbox(config))), ...undelivered.map(rowOfSession)];
    if (rows.length === 0) output.say("the outbox is empty");
    output.rows(
      rows.map(({ id, state, tool, about = "", queued_at, member = "", error }) => [
        id,
        state,
        tool,
        about,
        queued_at,
        member,
        errorText(error),
      ]),
    );
    if (undelivered.length > 0)
      output.hint(`hooks send waiting sessions when a session starts or ends; ${TAKE_SESSIONS}`);
    output.document(rows);
    return rows.some(({ state }) => state !== "waiting") ? 1 : 0;
  },
});

const retry = reachingCommand({
  meta: { name: "retry", description: "Send one or all now, whatever their age, even refused ones" },
  args: {
    id: { ...ID.id, required: false },
    all: { type: "boolean", description: "All that wait for this backend or were refused, oldest first" },
  },
  async run(args, { env, output }) {
    const config = readConfig(env, args);
    const folder = openOutbox(config);
    if (args.all) {
      if (args.id !== undefined) throw new UsageError("`--all` takes no id", RETRY_HINT);
      return retryAll(config, folder, output);
    }
    if (args.id === undefined) throw new UsageError("`outbox retry` needs an id or `--all`", RETRY_HINT);
    const entry = (await folder.read(args.id)) ?? (await folder.readRefused(args.id)) ?? missing(args.id);
    if (!config.remote) throw otherBackend(entry);
    const courier = openCourier(config, config.remote);
    try {
      if (entry.url !== courier.url) throw otherBackend(entry);
      if (!isOf(entry, await courier.sender())) throw otherMember(entry);
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

const RETRY_HINT = "`chest-index outbox list` shows the ids; `chest-index outbox retry --all` sends all of them";

/**
 * Sends entries one after another, and stops once the backend accepts none. Entries for another backend stay in the
 * outbox.
 */
async function retryAll(config: Config, folder: OutboxFolder, output: Output): Promise<ExitCode> {
  const rows = await readAll(folder);
  const [first] = rows.flatMap(({ entry }) => entry ?? []);
  if (first && !config.remote) throw otherBackend(first);
  const tried = first && config.remote ? await sendEach(rows, config, config.remote) : rows.map(unreadable);
  const isWaitingForMore = undeliveredSessions(config.dataDir).length > 0;
  if (isWaitingForMore) output.hint(`hooks send waiting sessions when a session starts or ends; ${TAKE_SESSIONS}`);
  return tellOf(tried, rows.length, output);
}

async function sendEach(rows: readonly ReadEntry[], config: Config, reach: Reach): Promise<RetryResult[]> {
  const courier = openCourier(config, reach);
  const lock = await tryLock(join(courier.folder.path, "drain.lock"));
  const tried: RetryResult[] = [];
  try {
    if (!lock) throw beingSent();
    for (const row of rows) {
      const { id, entry } = row;
      if (!entry) tried.push(unreadable(row));
      else if (entry.url !== courier.url) tried.push({ id, outcome: "other_backend", error: otherBackend(entry) });
      else if (!isOf(entry, await courier.sender()))
        tried.push({ id, outcome: "other_member", error: otherMember(entry) });
      else {
        const { outcome, error } = await deliver(courier, entry, AbortSignal.timeout(reach.timeoutMs));
        tried.push({ id, outcome, error: outcome === "unreachable" ? (error ?? notReached(courier.url)) : error });
        if (isOverFor(outcome)) break;
      }
    }
  } finally {
    await lock?.release();
    courier.close();
  }
  return tried;
}

/** Outcomes after which the backend would refuse the next entry too. */
const isOverFor = (outcome: RetryResult["outcome"]): boolean => outcome === "unreachable" || outcome === "paused";

const unreadable = ({ id, error }: ReadEntry): RetryResult => ({ id, outcome: "unreadable", error });

interface RetryResult {
  readonly id: string;
  readonly outcome: Outcome | "unreadable" | "other_backend" | "other_member";
  readonly error: ChestError | undefined;
}

function tellOf(tried: readonly RetryResult[], of: number, output: Output): ExitCode {
  const delivered = tried.filter(({ outcome }) => outcome === "delivered").length;
  output.say(of === 0 ? "the outbox is empty" : `delivered ${delivered} of ${of}`);
  const left = tried.filter(({ outcome }) => outcome !== "delivered");
  output.rows(left.map(({ id, outcome, error }) => [id, outcome, errorText(error)]));
  const last = tried.at(-1);
  output.document({
    delivered,
    left: of - delivered,
    results: tried.map(({ id, outcome, error }) => ({
      id,
      outcome,
      ...(error && { error: { code: error.code, message: error.message } }),
    })),
  });
  if (last?.error?.hint && isOverFor(last.outcome)) output.hint(last.error.hint);
  if (last && isOverFor(last.outcome)) return 2;
  return delivered === of ? 0 : 1;
}

const exportAll = ownCommand({
  meta: { name: "export", description: "Show what waits or was refused with its content, a JSON line each" },
  async run(_, { env, output }) {
    const entries = (await readAll(openOutbox(readConfig(env)))).flatMap(({ entry }) => entry ?? []);
    for (const { token: _, ...entry } of entries) output.show(JSON.stringify(entry));
    output.document(entries.map(({ token: _, ...entry }) => entry));
  },
});

const drop = ownCommand({
  meta: { name: "drop", description: "Discard one: it will not be stored" },
  args: ID,
  async run(args, { env, output }) {
    if (!(await openOutbox(readConfig(env)).remove(args.id))) return missing(args.id);
    output.say(`dropped ${args.id}`);
    output.document({ id: args.id, dropped: true });
  },
});

export const outbox = commandGroup({
  meta: { name: "outbox", description: "Writes of this machine that no backend has accepted yet" },
  subCommands: { list, retry, export: exportAll, drop },
});

interface OutboxRow {
  readonly id: string;
  readonly state: "waiting" | "too-old" | "refused" | "unreadable";
  readonly tool: string;
  readonly url: string | null;
  readonly queued_at: string;
  /** Project and subject of the call. */
  readonly about?: string | undefined;
  /** Member in whose name the call was made. */
  readonly member?: string | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

const listRows = async (folder: OutboxFolder): Promise<OutboxRow[]> => (await readAll(folder)).map(rowOf);

/** Lists entries that wait or were refused, oldest first. */
async function readAll(folder: OutboxFolder): Promise<ReadEntry[]> {
  const [waiting, refused] = await Promise.all([folder.waiting(), folder.refused()]);
  const read = await Promise.all([readEach(waiting, folder.read), readEach(refused, folder.readRefused)]);
  return read.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
}

function rowOf({ id, entry, error: unreadable }: ReadEntry): OutboxRow {
  if (!entry) {
    const why = unreadable && { error: { code: unreadable.code, message: unreadable.message } };
    return { id, state: "unreadable", tool: "?", url: null, queued_at: timeIn(id), ...why };
  }
  const { tool, url, queued_at, member, refused: error } = entry;
  const about = aboutOf(entry);
  if (error)
    return {
      id,
      state: "refused",
      tool,
      url,
      about,
      queued_at,
      member,
      error: { code: error.code, message: error.message },
    };
  return {
    id,
    state: ageOf(entry, new Date()) > MAX_AGE_MS ? "too-old" : "waiting",
    tool,
    url,
    about,
    queued_at,
    member,
  };
}

const MOST_ABOUT = 60;

/** Names a call's project and subject, so that a user recognises it; `outbox export` shows its content. */
function aboutOf({ project, input }: Entry): string {
  const field = [input.title, input.name, input.entity_name, input.memory_id, input.ids].find(
    (each) => each !== undefined && each !== "",
  );
  const subject = onOneLine(String(field ?? "")).trim();
  return [project, subject.slice(0, MOST_ABOUT)].filter(Boolean).join(": ");
}

const rowOfSession = ({ session, place, since }: UndeliveredSession): OutboxRow => ({
  id: session,
  state: "waiting",
  tool: "session",
  url: place,
  queued_at: since,
});

const errorText = (error: OutboxRow["error"]): string => (error ? `${error.code}: ${error.message}` : "");

/** An id begins with the time of its call. */
function timeIn(id: string): string {
  const at = new Date(Number(id.slice(0, 14)));
  return Number.isNaN(at.getTime()) ? "" : at.toISOString();
}

function missing(id: string): never {
  throw new ChestError("NOT_FOUND", `\`${id}\` not found in the outbox`, {
    hint: "`chest-index outbox list` shows what is there",
  });
}

const otherBackend = ({ url }: Entry) =>
  new ChestError("INVALID_INPUT", `it waits for ${url}, which is not the backend in use here`, {
    hint: `\`chest-index … --remote-url ${url}\` sends it there`,
  });

const otherMember = ({ member = "another token's member" }: Entry) =>
  new ChestError("FORBIDDEN", `it was written by \`${member}\`, and only a token of that member sends it`, {
    hint: "`chest-index outbox export` shows it, `chest-index outbox drop ID` discards it",
  });

const beingSent = () =>
  new ChestError("UNAVAILABLE", "another process is sending the outbox", { hint: "try again in a moment" });

const notReached = (url: string) =>
  new ChestError("BACKEND_UNREACHABLE", `no answer from ${url}`, { hint: "`chest-index doctor client` tells why" });
