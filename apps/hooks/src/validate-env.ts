import type { Env } from "@chest/runtime";
import { storeFileOf } from "@chest/runtime/database-url";
import { EVENTS, OLD_NAMES } from "./events/index.ts";

type Check = (given: string) => string | undefined;

const FLAG = /^(?:1|true|on|yes|0|false|off|no|none)$/i;
const SOURCES = /^(?:(?:all|off|none|startup|resume|clear|compact)(?:[\s,]+|$))+$/i;
const SWITCH = /^(?:all|0|off|false|no|none)$/i;

/** Checks of each setting; undefined means valid. Reasons are short, since they end up in a log. */
const CHECKS: Readonly<Record<string, Check>> = {
  CHEST_MODE: (given) => (/^(?:local|remote)$/.test(given) ? undefined : "neither local nor remote"),
  CHEST_REMOTE_URL: (given) =>
    /^https?:/i.test(given) && URL.canParse(given) ? undefined : "not an http or https URL",
  CHEST_CAPTURE: (given) => (FLAG.test(given.trim()) ? undefined : "neither on nor off"),
  CHEST_SESSION_START: (given) =>
    SOURCES.test(given.trim()) ? undefined : "names none of startup, resume, clear, compact",
  CHEST_OUTBOX: (given) => (FLAG.test(given.trim()) ? undefined : "neither on nor off"),
  CHEST_HOOK_BUDGET_MS: (given) => (Number.isFinite(Number(given)) ? undefined : "not a number"),
  DATABASE_URL: (given) => (storeFileOf(given) === undefined ? "not a `file:` URL" : undefined),
};

/**
 * The environment without invalid values: the profile or a default takes their place. A hook can report them in its log
 * only.
 */
export function usableEnv(given: Env, tell: (name: string, why: string) => void): Env {
  const usable: Record<string, string | undefined> = { ...given };
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = given[name];
    const why = value ? check(value) : undefined;
    if (why === undefined) continue;
    usable[name] = undefined;
    tell(name, why);
  }
  const { known, unknown } = eventNames(given.CHEST_HOOKS ?? "");
  if (unknown.length > 0) {
    usable.CHEST_HOOKS = known.join(",");
    tell("CHEST_HOOKS", `no event is called ${unknown.join(", ")}`);
  }
  return usable;
}

function eventNames(given: string): { readonly known: readonly string[]; readonly unknown: readonly string[] } {
  const names = given
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => OLD_NAMES[name] ?? name);
  const isKnown = (name: string) => SWITCH.test(name) || Object.hasOwn(EVENTS, name);
  return { known: names.filter(isKnown), unknown: names.filter((name) => !isKnown(name)) };
}
