import { mendFor } from "@chest/client";
import { ChestError } from "@chest/contracts";
import { commandForms } from "@chest/runtime/shell-words";
import { undeliveredSessions } from "@chest/runtime/undelivered-sessions";
import { summarise } from "../../render/outbox.ts";
import type { Check, Finding } from "../check.ts";
import { failed, type InspectedClient } from "./target.ts";

const LATE_MS = 3_600_000;
const MOST_NAMED = 6;
// An undelivered session waits for the start or end of the next one, which may come after a weekend.
const SESSIONS_LATE_MS = 4 * 86_400_000;

export const outbox: Check<InspectedClient> = {
  id: "client.outbox",
  title: "no write waits for long",
  async run(inspected) {
    const { outbox: folder } = inspected;
    try {
      const finding = await look(inspected);
      await folder.checkWritable();
      return finding;
    } catch (error) {
      if (!(error instanceof ChestError)) throw error;
      return failed(error, mendFor(error) ?? commandForms().showing(folder.path));
    }
  },
};

async function look({ outbox: folder, remote, dataDir }: InspectedClient): Promise<Finding> {
  const [undelivered, ...later] = undeliveredSessions(dataDir);
  const { entries, oldestAt, refused, foreign, tooOld, unreadable } = await summarise(folder, remote?.backend.url);
  if (entries === 0 && refused === 0 && !undelivered) return { status: "ok", message: "empty" };
  const ageMs = oldestAt === undefined ? 0 : Date.now() - Date.parse(oldestAt);
  const message = [
    `${entries} waiting${oldestAt ? `, the oldest since ${oldestAt}` : ""}; ${refused} refused`,
    ...(undelivered
      ? [`sessions that the hooks have not sent yet: ${later.length + 1}, since ${undelivered.since}`]
      : []),
    ...(foreign > 0 ? [`${foreign} of them for another backend`] : []),
    ...unreadable.flatMap(({ message, hint }) => [message, ...(hint ? [hint] : [])]).slice(0, MOST_NAMED),
    ...(tooOld > 0 ? [`${tooOld} of them too old to be sent automatically: \`chest-index outbox retry ID\``] : []),
  ].join("\n");
  const [stuck] = unreadable;
  if (stuck) return { status: "warn", message, fix: mendFor(stuck) ?? commandForms().listing(folder.path) };
  const isLate = undelivered !== undefined && Date.now() - Date.parse(undelivered.since) > SESSIONS_LATE_MS;
  if (refused === 0 && ageMs < LATE_MS && !isLate) return { status: "ok", message };
  return { status: "warn", message, fix: "chest-index outbox list" };
}
