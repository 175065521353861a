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
await import("../../index.ts");
process.stdout.write(JSON.stringify([...made.values()]));

export {};
