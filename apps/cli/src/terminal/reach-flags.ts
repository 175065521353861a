import { parseArgs } from "node:util";
import type { OwnName } from "@chest/runtime/own-name";

/** Commands made by `reachingCommand`, whose address and token hints therefore repeat. */
export const TAKES_REACH: ReadonlySet<string> = new Set([
  "audit",
  "backup",
  "digest",
  "doctor client",
  "doctor server",
  "forget",
  "history",
  "import",
  "inbox assign",
  "inbox list",
  "inbox snooze",
  "inbox wake",
  "inspect",
  "list",
  "llm",
  "member add",
  "member disable",
  "member hand-over",
  "member list",
  "outbox retry",
  "page",
  "preview",
  "pending-resync",
  "project access",
  "project alias",
  "project join",
  "project list",
  "project rename",
  "project split",
  "promotion approve",
  "promotion decline",
  "purge",
  "recall",
  "remember",
  "settle",
  "show",
  "skills list",
  "skills remove",
  "skills scan",
  "skills show",
  "stats",
  "status",
  "sync",
  "tags",
  "token create",
  "token list",
  "token renew",
  "token revoke",
  "verify",
  "webhooks add",
  "webhooks list",
  "webhooks remove",
  "webhooks test",
  "work add",
  "work close",
  "work drop",
  "work get",
  "work list",
  "work reopen",
]);

const FLAGS = ["remote-url", "token-file"] as const;

/** Adds the address and token from the arguments to the commands in hints. */
export function keepReach(words: readonly string[]): NonNullable<OwnName["keeps"]> {
  const options = Object.fromEntries(FLAGS.map((name) => [name, { type: "string" }] as const));
  const { values } = parseArgs({ args: [...words], options, strict: false });
  const reachArgs = FLAGS.flatMap((name) => {
    const value = values[name];
    return typeof value === "string" && value !== "" ? [[`--${name}`, value] as const] : [];
  });
  return (command) => {
    const [first = "", second = ""] = command;
    return TAKES_REACH.has(first) || TAKES_REACH.has(`${first} ${second}`) ? reachArgs : [];
  };
}
