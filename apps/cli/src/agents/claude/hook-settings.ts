import { damaged, isRecord, readJsonc, setInJsonc } from "../settings-files/jsonc.ts";
import { isOurs } from "./hook-command.ts";
import { HOOK_TIMEOUT_S } from "./hook-events.ts";

/** A handler that the settings should have. */
export interface WantedHook {
  readonly event: string;
  readonly matcher: string;
  readonly command: string;
  /** Time limit in the unit of the agent; Claude Code's seconds without one. */
  readonly timeout?: number;
}

export interface HookAction {
  readonly event: string;
  readonly outcome: "added" | "updated" | "unchanged" | "removed";
}

/** One handler of ours: `hooks.<event>[entry].hooks[handler]`. */
export interface HandlerPlace {
  readonly event: string;
  readonly entry: number;
  readonly handler: number;
  readonly command: string;
  readonly isAlone: boolean;
  readonly matcher: unknown;
  readonly timeout: unknown;
}

/**
 * Edits settings so that they hold exactly the wanted handlers of ours; everything else stays, byte for byte.
 * Throws `StartError` for damaged settings.
 */
export function editHooks(text: string | undefined, wanted: readonly WantedHook[], path: string) {
  const actions: HookAction[] = [];
  let edited = text;
  for (const hook of wanted) {
    const next = settle(edited, hook, path);
    edited = next.text;
    actions.push({ event: hook.event, outcome: next.outcome });
  }
  const isWanted = ({ event }: HandlerPlace) => wanted.some((hook) => hook.event === event);
  for (let place = lastOf(edited); place; place = lastOf(edited)) {
    const { event } = place;
    edited = without(edited, place, path);
    if (!actions.some((action) => action.event === event)) actions.push({ event, outcome: "removed" });
  }
  return { text: edited, actions };

  function lastOf(input: string | undefined): HandlerPlace | undefined {
    return findOurs(input, path).findLast((place) => !isWanted(place));
  }
}

/** Every handler of ours in the settings. */
export function findOurs(text: string | undefined, path: string): HandlerPlace[] {
  return Object.entries(hooksIn(text, path)).flatMap(([event, entries]) =>
    entriesOf(entries, event, path).flatMap((entry, index) => oursIn(entry, event, index, path)),
  );
}

function settle(text: string | undefined, hook: WantedHook, path: string) {
  let edited = text;
  for (let ours = oursNow(); ours.length > 1; ours = oursNow()) {
    const kept = ours.find((place) => isAsWanted(place, hook)) ?? ours[0];
    const spare = ours.findLast((place) => place !== kept);
    if (spare) edited = without(edited, spare, path);
  }
  const [only] = oursNow();
  if (!only) return { text: added(edited, hook, path), outcome: "added" as const };
  if (!isAsWanted(only, hook)) edited = withHandler(edited, only, hook);
  return { text: edited, outcome: edited === text ? ("unchanged" as const) : ("updated" as const) };

  function oursNow(): HandlerPlace[] {
    return findOurs(edited, path).filter(({ event }) => event === hook.event);
  }
}

const isAsWanted = ({ command, matcher, timeout, isAlone }: HandlerPlace, hook: WantedHook): boolean =>
  command === hook.command &&
  timeout === (hook.timeout ?? HOOK_TIMEOUT_S) &&
  (!isAlone || (matcher ?? "") === hook.matcher);

const handlerOf = ({ command, timeout = HOOK_TIMEOUT_S }: WantedHook) => ({ type: "command", command, timeout });

function added(text: string | undefined, hook: WantedHook, path: string): string {
  const entries = hooksIn(text, path)[hook.event];
  const entry = { matcher: hook.matcher, hooks: [handlerOf(hook)] };
  if (entries === undefined) return setInJsonc(text, ["hooks", hook.event], [entry]);
  return setInJsonc(text, ["hooks", hook.event, entriesOf(entries, hook.event, path).length], entry);
}

/** Changes our handler. An entry that holds other handlers keeps its matcher, which is theirs as well. */
function withHandler(
  text: string | undefined,
  { event, entry, handler, isAlone, matcher }: HandlerPlace,
  hook: WantedHook,
): string {
  const changed = setInJsonc(text, ["hooks", event, entry, "hooks", handler], handlerOf(hook));
  if (!isAlone || (matcher ?? "") === hook.matcher) return changed;
  return setInJsonc(changed, ["hooks", event, entry, "matcher"], hook.matcher);
}

/** Removes one handler, and the lists and objects that become empty with it. */
function without(text: string | undefined, { event, entry, handler, isAlone }: HandlerPlace, path: string): string {
  if (!isAlone) return setInJsonc(text, ["hooks", event, entry, "hooks", handler], undefined);
  const hooks = hooksIn(text, path);
  if (entriesOf(hooks[event], event, path).length > 1) return setInJsonc(text, ["hooks", event, entry], undefined);
  return setInJsonc(text, Object.keys(hooks).length > 1 ? ["hooks", event] : ["hooks"], undefined);
}

/** Lists of handlers by event. */
export function hooksIn(text: string | undefined, path: string): Readonly<Record<string, unknown>> {
  const { hooks = {} } = readJsonc(text, path);
  if (!isRecord(hooks)) throw damaged(path, "`hooks` is not an object");
  return hooks;
}

function entriesOf(entries: unknown, event: string, path: string): readonly unknown[] {
  if (!Array.isArray(entries)) throw damaged(path, `\`hooks.${event}\` is not a list`);
  return entries;
}

function oursIn(entry: unknown, event: string, index: number, path: string): HandlerPlace[] {
  const handlers = isRecord(entry) ? entry.hooks : undefined;
  if (!isRecord(entry) || !Array.isArray(handlers))
    throw damaged(path, `\`hooks.${event}[${index}]\` has no list of hooks`);
  return handlers.flatMap((input: unknown, handler) => {
    if (!isRecord(input) || typeof input.command !== "string" || !isOurs(input.command)) return [];
    const { command, timeout } = input;
    return [{ event, entry: index, handler, command, timeout, matcher: entry.matcher, isAlone: handlers.length === 1 }];
  });
}
