import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KeepRule, ListedBackup } from "@chest/core/ports";
import { manifestOf, readName } from "../store-file/backup-manifest.ts";
import { listBackups } from "./list.ts";
import { COPY_LIMIT_MS } from "./make.ts";

/** Number of days and weeks for which the newest backup is kept. */
const DAY_MS = 86_400_000;
// 1970 began on a Thursday, but weeks should begin on a Monday.
const MONDAY = 3;

/**
 * Removes backups that the rule does not keep, and returns them. Copies from before a migration stay, for a way back.
 * Unfinished copies of killed processes are removed too.
 */
export async function rotateBackups(folder: string, rule: KeepRule): Promise<readonly ListedBackup[]> {
  const all = (await listBackups(folder)).filter(({ reason }) => !reason.startsWith("before-"));
  const kept = new Set([
    // The newest backup always stays.
    ...all.slice(0, 1),
    ...all.filter(isFreshByHand),
    ...newestOfEach(all, rule.daily, (day) => day),
    ...newestOfEach(all, rule.weekly, (day) => Math.floor((day + MONDAY) / 7)),
  ]);
  const gone = all.filter((backup) => !kept.has(backup));
  for (const { path } of gone) for (const file of [path, manifestOf(path)]) await rm(file, { force: true });
  await removeUnfinished(folder);
  return gone;
}

/** A manual backup stays for a day, regardless of later ones. */
const isFreshByHand = ({ reason, madeAt }: ListedBackup): boolean =>
  reason === "manual" && Date.now() - madeAt.getTime() < DAY_MS;

/** Removes unfinished copies, but not those written to recently. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, copy] = /^(.+)\.part(?:-journal)?$/.exec(name) ?? [];
    if (copy === undefined || !readName(copy)) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > COPY_LIMIT_MS) await rm(join(folder, name), { force: true });
  }
}

function newestOfEach(all: readonly ListedBackup[], count: number, periodOf: (day: number) => number): ListedBackup[] {
  const byPeriod = new Map<number, ListedBackup>();
  for (const backup of all) {
    const period = periodOf(Math.floor(backup.madeAt.getTime() / DAY_MS));
    if (!byPeriod.has(period)) byPeriod.set(period, backup);
  }
  return [...byPeriod.values()].slice(0, count);
}
