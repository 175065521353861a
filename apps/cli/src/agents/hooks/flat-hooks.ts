import { isDeepStrictEqual } from "node:util";
import { isOurs } from "../claude/hook-command.ts";
import { type HookAction, hooksIn } from "../claude/hook-settings.ts";
import { damaged, isRecord, readJsonc, setInJsonc } from "../settings-files/jsonc.ts";

/** A handler in the list of an event, in the agent's own form. */
export interface FlatHook {
  readonly event: string;
  readonly handler: { readonly command: string } & Readonly<Record<string, unknown>>;
}

/**
 * Edits a file whose `hooks` hold a list of handlers for each event, so that exactly the wanted ones of ours remain;
 * everything else stays. Throws `StartError` for a damaged file.
 * @param base content that a new file begins with
 */
export function editFlatHooks(text: string | undefined, wanted: readonly FlatHook[], path: string, base = "{}") {
  const actions: HookAction[] = [];
  let edited = text;
  for (const { event, handler } of wanted) {
    const ours = oursIn(edited, event, path);
    const before = edited;
    for (const at of ours.slice(1).reverse()) edited = setInJsonc(edited, ["hooks", event, at], undefined);
    const [at] = ours;
    const place = ["hooks", event, ...(at === undefined ? [listIn(edited, event, path).length] : [at])];
    if (at === undefined) {
      const isFirst = hooksIn(edited, path)[event] === undefined;
      edited = isFirst
        ? setInJsonc(edited ?? `${base}\n`, ["hooks", event], [handler])
        : setInJsonc(edited, place, handler);
    } else if (!isDeepStrictEqual(listIn(edited, event, path)[at], handler))
      edited = setInJsonc(edited, place, handler);
    actions.push({ event, outcome: at === undefined ? "added" : edited === before ? "unchanged" : "updated" });
  }
  for (const event of Object.keys(hooksIn(edited, path))) {
    if (wanted.some((hook) => hook.event === event)) continue;
    const ours = oursIn(edited, event, path);
    if (ours.length === 0) continue;
    for (const at of ours.reverse()) edited = setInJsonc(edited, ["hooks", event, at], undefined);
    if (listIn(edited, event, path).length === 0) edited = without(edited, event, path);
    actions.push({ event, outcome: "removed" });
  }
  const isOnlyBase =
    wanted.length === 0 && edited !== text && isDeepStrictEqual(readJsonc(edited, path), JSON.parse(base));
  return { text: isOnlyBase ? "{}\n" : edited, actions };
}

/** Whether a file holds a handler of ours. */
export const hasFlatHooks = (text: string | undefined, path: string): boolean =>
  Object.keys(hooksIn(text, path)).some((event) => oursIn(text, event, path).length > 0);

function without(text: string | undefined, event: string, path: string): string {
  return setInJsonc(text, Object.keys(hooksIn(text, path)).length > 1 ? ["hooks", event] : ["hooks"], undefined);
}

function oursIn(text: string | undefined, event: string, path: string): number[] {
  return listIn(text, event, path).flatMap((handler, at) =>
    isRecord(handler) && typeof handler.command === "string" && isOurs(handler.command) ? [at] : [],
  );
}

function listIn(text: string | undefined, event: string, path: string): readonly unknown[] {
  const list = hooksIn(text, path)[event] ?? [];
  if (!Array.isArray(list)) throw damaged(path, `\`hooks.${event}\` is not a list`);
  return list;
}
