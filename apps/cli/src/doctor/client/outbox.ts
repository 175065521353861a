import { owedSessions } from "@chest/runtime/owed-sessions";
import { summarise } from "../../outbox-summary.ts";
import type { Check } from "../check.ts";
import type { ClientPatient } from "./patient.ts";

const LATE_MS = 3_600_000;
// Sessions wait for the next one to start or end: over a weekend, say.
const SESSIONS_LATE_MS = 4 * 86_400_000;

export const outbox: Check<ClientPatient> = {
  id: "client.outbox",
  title: "no write waits for long",
  async run({ outbox: folder, remote, dataDir }) {
    const [owed, ...later] = owedSessions(dataDir);
    const { entries, oldestAt, refused, foreign, tooOld } = await summarise(folder, remote?.backend.url);
    if (entries === 0 && refused === 0 && !owed) return { status: "ok", message: "empty" };
    const ageMs = oldestAt === undefined ? 0 : Date.now() - Date.parse(oldestAt);
    const message = [
      `${entries} waiting${oldestAt ? `, the oldest since ${oldestAt}` : ""}; ${refused} refused`,
      ...(owed ? [`sessions that the hooks have still to tell of: ${later.length + 1}, since ${owed.since}`] : []),
      ...(foreign > 0 ? [`${foreign} of them for another backend`] : []),
      ...(tooOld > 0 ? [`${tooOld} of them too old to be sent unasked: \`chest-index outbox retry ID\``] : []),
    ].join("\n");
    const isLate = owed !== undefined && Date.now() - Date.parse(owed.since) > SESSIONS_LATE_MS;
    if (refused === 0 && ageMs < LATE_MS && !isLate) return { status: "ok", message };
    return { status: "warn", message, fix: "chest-index outbox list" };
  },
};
