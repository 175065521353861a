import type { Env } from "@chest/runtime";
import { storeFileOf } from "@chest/runtime/database-url";
import { EVENTS, OLD_NAMES } from "./events/index.ts";

type Check = (input: string) => string | undefined;

const FLAG = /^(?:1|true|on|yes|0|false|off|no|none)$/i;
const SOURCES = /^(?:(?:all|off|none|startup|resume|clear|compact)(?:[\s,]+|$))+$/i;
const SWITCH = /^(?:all|0|off|false|no|none)$/i;

/** Checks of each setting; undefined means valid. Reasons are short, since they end up in a log. */
const CHECKS: Readonly<Record<string, Check>> = {
  CHEST_MODE: (input) => (/^(?:local|remote)$/.test(input) ? undefined : "neither local nor remote"),
  CHEST_REMOTE_URL: (input) =>
    /^https?:/i.test(input) && URL.canParse(input) ? undefined : "not an http or https URL",
  CHEST_CAPTURE: (input) => (FLAG.test(input.trim()) ? undefined : "neither on nor off"),
  CHEST_SESSION_START: (input) =>
    SOURCES.test(input.trim()) ? undefined : "names none of startup, resume, clear, compact",
  CHEST_OUTBOX: (input) => (FLAG.test(input.trim()) ? undefined : "neither on nor off"),
  CHEST_HOOK_BUDGET_MS: (input) => (Number.isFinite(Number(input)) ? undefined : "not a number"),
  DATABASE_URL: (input) => (storeFileOf(input) === undefined ? "not a `file:` URL" : undefined),
};

/**
 * The environment without invalid values: the profile or a default takes their place. A hook can report them in its log
 * only.
 */
export function usableEnv(input: Env, tell: (name: string, why: string) => void): Env {
  const usable: Record<string, string | undefined> = { ...input };
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = input[name];
    const why = value ? check(value) : undefined;
    if (why === undefined) continue;
    usable[name] = undefined;
    tell(name, why);
  }
  const { known, unknown } = eventNames(input.CHEST_HOOKS ?? "");
  if (unknown.length > 0) {
    usable.CHEST_HOOKS = known.join(",");
    tell("CHEST_HOOKS", `no event is called ${unknown.join(", ")}`);
  }
  return usable;
}

function eventNames(input: string): { readonly known: readonly string[]; readonly unknown: readonly string[] } {
  const names = input
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => OLD_NAMES[name] ?? name);
  const isKnown = (name: string) => SWITCH.test(name) || Object.hasOwn(EVENTS, name);
  return { known: names.filter(isKnown), unknown: names.filter((name) => !isKnown(name)) };
}
