import { summarise } from "../../outbox-summary.ts";
import type { Check } from "../check.ts";
import type { ClientPatient } from "./patient.ts";

const LATE_MS = 3_600_000;

export const outbox: Check<ClientPatient> = {
  id: "client.outbox",
  title: "no write waits for long",
  async run({ outbox: folder, remote }) {
    const { entries, oldestAt, refused, foreign, tooOld } = await summarise(folder, remote?.backend.url);
    if (entries === 0 && refused === 0) return { status: "ok", message: "empty" };
    const ageMs = oldestAt === undefined ? 0 : Date.now() - Date.parse(oldestAt);
    const message = [
      `${entries} waiting${oldestAt ? `, the oldest since ${oldestAt}` : ""}; ${refused} refused`,
      ...(foreign > 0 ? [`${foreign} of them for another backend`] : []),
      ...(tooOld > 0 ? [`${tooOld} of them too old to be sent unasked: \`chest-index outbox retry ID\``] : []),
    ].join("\n");
    if (refused === 0 && ageMs < LATE_MS) return { status: "ok", message };
    return { status: "warn", message, fix: "chest-index outbox list" };
  },
};
