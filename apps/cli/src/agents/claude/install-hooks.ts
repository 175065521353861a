import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ConfigurationOptions, editConfiguration, editOwn, noteOn } from "../created-files.ts";
import type { Step } from "../step.ts";
import { HOOK_FILE, hookCommand } from "./hook-command.ts";
import { HOOK_EVENTS, isKnownTo } from "./hook-events.ts";
import { editHooks, findOurs, type HookAction, type WantedHook } from "./hook-settings.ts";

export interface HooksOptions extends ConfigurationOptions {
  /** Claude Code's settings. */
  readonly settings: string;
  /** The hook program of this release; the table of terms lies beside it. */
  readonly program: string;
  /** Program that runs it: `node`, or an absolute path. */
  readonly node: string;
  /** Version of Claude Code; undefined where there is none yet. */
  readonly claudeVersion: string | undefined;
}

/** Table with which hooks find memories by meaning in a local store. */
const TABLE_FILE = "terms.table";

export const hookFileIn = (dataDir: string): string => join(dataDir, "bin", HOOK_FILE);

/** Copies the hook program to the data folder and registers it for every event that this Claude Code knows. */
export async function installHooks(options: HooksOptions): Promise<Step[]> {
  const { settings } = options;
  const text = existsSync(settings) ? readFileSync(settings, "utf8") : undefined;
  // Settings that cannot be edited are found out before anything is copied.
  editHooks(text, wantedHooks(options), settings);
  return [
    await installProgram(options),
    ...(await edited(options, wantedHooks)),
    ...skippedEvents(options, wantedHooks(options)),
  ];
}

/** Copies the hook program of this release to the data folder, with the table of terms beside it. */
export async function installProgram(options: ConfigurationOptions & Pick<HooksOptions, "program">): Promise<Step> {
  const { dataDir, program } = options;
  const hookFile = hookFileIn(dataDir);
  const source = readFileSync(program, "utf8");
  const outcome = await editOwn(hookFile, () => source, options);
  if (!options.isDry && !isTableCurrent(dataDir, program)) copyTable(tableBeside(program), tableBeside(hookFile));
  return { step: "hook program", outcome, path: hookFile };
}

/** Takes our handlers out of the settings; the program and what is stored stay. */
export const removeHooks = (options: Pick<HooksOptions, "settings" | "dataDir" | "isDry">): Promise<Step[]> =>
  edited(options, () => []);

/** Whether Claude Code runs hooks of ours; settings that cannot be read may hold some. */
export function hasClaudeHooks(settings: string): boolean {
  try {
    return existsSync(settings) && findOurs(readFileSync(settings, "utf8"), settings).length > 0;
  } catch {
    return true;
  }
}

/** Registers handlers in a file of the same form, as another agent keeps them. */
export const registerHooks = (
  options: Pick<HooksOptions, "settings" | "dataDir" | "isDry">,
  wanted: readonly WantedHook[],
): Promise<Step[]> => edited(options, () => wanted);

const tableBeside = (program: string): string => join(dirname(program), TABLE_FILE);

/** Whether the installed program has the table of this release's `program`; true if that has none. */
export function isTableCurrent(dataDir: string, program: string): boolean {
  const [ours, copied] = [tableBeside(program), tableBeside(hookFileIn(dataDir))];
  return !existsSync(ours) || (existsSync(copied) && readFileSync(ours).equals(readFileSync(copied)));
}

/** Copies by renaming, so that an event at the same time never reads half a table. */
function copyTable(from: string, to: string): void {
  copyFileSync(from, `${to}.new`);
  renameSync(`${to}.new`, to);
}

/** Takes the program away, its table, and what it had compiled of itself beside it. */
export async function removeHookProgram(options: ConfigurationOptions): Promise<Step> {
  const path = hookFileIn(options.dataDir);
  const outcome = await editOwn(path, () => undefined, options);
  const folder = dirname(path);
  const beside = existsSync(folder) ? readdirSync(folder).filter(isBesideProgram) : [];
  for (const name of options.isDry ? [] : beside) rmSync(join(folder, name), { force: true });
  return { step: "hook program", outcome, path };
}

const isBesideProgram = (name: string): boolean => name.startsWith(`${HOOK_FILE}.`) || name.startsWith(TABLE_FILE);

async function edited<O extends Pick<HooksOptions, "settings" | "dataDir" | "isDry">>(
  options: O,
  wanted: (options: O) => readonly WantedHook[],
): Promise<Step[]> {
  const { settings } = options;
  let actions: readonly HookAction[] = [];
  let left: string | undefined;
  const outcome = await editConfiguration(
    settings,
    (text) => {
      const result = editHooks(text, wanted(options), settings);
      actions = result.actions;
      left = result.text;
      return result.text;
    },
    options,
  );
  if (actions.length === 0)
    return [
      { step: "hooks", outcome: outcome === "absent" ? outcome : "unchanged", path: settings, note: "none of ours" },
    ];
  const note = noteOn(outcome, left);
  return actions.map(({ event, outcome: done }, at) => ({
    step: `hook ${event}`,
    outcome: done,
    path: settings,
    ...(at === actions.length - 1 && note ? { note } : {}),
  }));
}

/** The events that this Claude Code may not know, and why. */
function skippedEvents({ claudeVersion }: HooksOptions, wanted: readonly WantedHook[]): Step[] {
  return HOOK_EVENTS.filter((known) => !wanted.some(({ event }) => event === known.event)).map(({ event, since }) => ({
    step: `hook ${event}`,
    outcome: "skipped",
    note: `needs Claude Code ${since?.join(".")} or newer, and this is ${claudeVersion}`,
  }));
}

/** Builds our hook settings, of the events that this Claude Code knows. */
const wantedHooks = ({ dataDir, node, claudeVersion }: HooksOptions): WantedHook[] =>
  HOOK_EVENTS.filter((known) => isKnownTo(claudeVersion, known)).map(({ event, argument, matcher }) => ({
    event,
    matcher,
    command: hookCommand(node, hookFileIn(dataDir), argument),
  }));
