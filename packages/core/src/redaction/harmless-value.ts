const LITERAL =
  /^(?:(?:null|nil|none|undefined|true|false|void|string|str|number|boolean|bool|int|integer|bytes|unknown|any|never|object|function|symbol)>{0,3}|[|>][+-]?|[.…*•]+|x{4,64}|\d{1,2}|[^\p{L}\p{N}]{1,3}|[[(<]?redacted[\])>]?|[[(<](?:filtered|masked|hidden|omitted)[\])>]|\[[a-z][a-z _-]{1,40}\]?|[a-z]{2,10}[-_](?:[a-z]{2,8}[-_])?(?:\.{3}|…|\*{3,}))$/iu;
const PLACEHOLDER =
  /^(?:(?:bearer|basic|token)\s+(?:[.…*•]+|x{3,8}|token|string)|your(?:[-_ ][a-z]+){0,5}[-_ ](?:key|token|secret|password|passphrase|cookie|here))$/i;
// A version, such as `"@fastify/cookie": "^11.0.0"`.
const VERSION =
  /^(?:[~^<>=v]{0,2}\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[a-z]{1,10}\.?\d{0,4})?|(?:workspace|catalog):[\w*^~.]{0,20})$/;
const PLACE = /^(?:(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/|\.{1,2}\/[\w@*./-]{1,200}$)/;
const REFERENCE =
  /^(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s+)?(?:\$\{\{?\s*[\w.]+\s*\}{0,2}|\$\{\w+:?\?[^{}]*\}|\$\([^()]*\)|\$[A-Z][A-Z_]+|\{\{\s*[\w.]+\s*\}\}|%[A-Z][A-Z_]+%|<[A-Za-z][A-Za-z0-9 ._-]*>)$/;
const LOOKED_UP =
  /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|System\.getenv|Deno\.env|Bun\.env|ENV|secrets|vars)(?:[.[(]|$)/;
// A template, such as `Bearer ${await login()}`.
const TEMPLATE =
  /^(?:(?:bearer|basic|token)\s+)?(?:(?:\$\{(?:[\w$.()[\]?!,|&]| \+ | ){1,200}\}[:.=]?){1,4}|\$\{[\w$. ]{1,80}\()$/i;
const HARMLESS_STRING = /(["'])(?::|base64|utf-?8|hex|none|)\1/g;
const REDACTED = /\[REDACTED\]|\\[nrt]|\s/g;

/** Whether a value holds no secret: empty, a type, a reference to a variable, or already redacted. */
export function isHarmless(value: string): boolean {
  const rest = value.replace(REDACTED, "");
  if (rest === "" || LITERAL.test(rest) || VERSION.test(rest) || LOOKED_UP.test(rest)) return true;
  const trimmed = value.trim();
  if (TEMPLATE.test(trimmed.replace(HARMLESS_STRING, ""))) return true;
  return REFERENCE.test(trimmed) || PLACEHOLDER.test(trimmed) || PLACE.test(trimmed);
}
