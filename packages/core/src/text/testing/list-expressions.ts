import { readFileSync } from "node:fs";

// Prints, as JSON, the expressions that the modules of core put together while they load: their bodies and flags.
const own = globalThis.RegExp;
const made = new Map<string, { readonly body: string; readonly flags: string }>();
globalThis.RegExp = new Proxy(own, {
  construct(target, [pattern, flags]: [string | RegExp, string?]) {
    const expression = new target(pattern, flags);
    made.set(String(expression), { body: expression.source, flags: expression.flags });
    return expression;
  },
});
const { exports } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const doors = Object.values<string>(exports).filter((door) => !door.includes("*"));
await Promise.all(doors.map((door) => import(new URL(`../../../${door}`, import.meta.url).href)));
process.stdout.write(`${JSON.stringify([...made.values()])}\n`);
