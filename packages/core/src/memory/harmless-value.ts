const LITERAL =
  /^(?:null|nil|none|undefined|true|false|void|string|str|number|boolean|bool|int|integer|bytes|unknown|any|never|[|>][+-]?|[.…*•]+)$/i;
const REFERENCE =
  /^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s+)?(?:\$\{\{?\s*[\w.]+\s*\}?\}|\$\{\w+:?\?[^{}]*\}|\$\([^()]*\)|\$[A-Z][A-Z_]+|\{\{\s*[\w.]+\s*\}\}|%[A-Z][A-Z_]+%|<[A-Za-z][A-Za-z _-]*>)$/;
const LOOKED_UP =
  /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|System\.getenv|Deno\.env|Bun\.env|ENV|secrets|vars)(?:[.[(]|$)/;
const CALL = /^[a-z_$][\w.$]*[([]$/i;
const REDACTED = /\[REDACTED\]|\\[nrt]|\s/g;

/** Whether a value holds no secret: nothing, a type, a reference to a variable, or what was redacted before. */
export function isHarmless(value: string): boolean {
  const rest = value.replace(REDACTED, "");
  return rest === "" || LITERAL.test(rest) || REFERENCE.test(value.trim()) || LOOKED_UP.test(rest);
}

/** Whether code asks for the value instead of writing it: `readToken()`, `cookies["sid"]`. */
export function isLookup(value: string, next: string | undefined): boolean {
  return CALL.test(value) && next !== undefined && ")\"'`".includes(next);
}
