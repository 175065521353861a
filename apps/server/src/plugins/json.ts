import { ChestError } from "@chest/contracts";
import type { FastifyInstance } from "fastify";

// Deeper than any schema here; what follows may recurse.
const MAX_DEPTH = 64;

/** Reads every body as JSON, whatever its content type says, and writes every answer as JSON. */
export function addJson(app: FastifyInstance): void {
  // The schemas of routes are what the documentation says; the executor checks a call's input, once.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.removeAllContentTypeParsers();
  // A content type that is none at all would be refused before a parser is asked.
  app.addHook("onRequest", (request, _reply, done) => {
    const { "content-encoding": encoding = "identity" } = request.headers;
    if (encoding !== "identity") return done(compressed());
    if (request.headers["content-type"] !== undefined) request.headers["content-type"] = "application/json";
    done();
  });
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, readJson(body as string));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

/** Parses JSON that may be hostile: neither its depth nor its keys do harm. */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) throw unreadable(`is nested deeper than ${MAX_DEPTH} levels`);
  const value = parse(text);
  if (hasPrototypeKey(value)) throw unreadable("has a key named `__proto__`");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("is not JSON"); // The parser's own words quote the body.
  }
}

function unreadable(what: string): ChestError {
  const message = `the body ${what}`;
  return new ChestError("VALIDATION_ERROR", message, {
    hint: "send one JSON object",
    details: { issues: [{ path: "", message }] },
  });
}

// A few bytes can stand for gigabytes: nothing is unpacked here.
const compressed = () =>
  new ChestError("VALIDATION_ERROR", "the body is compressed (`content-encoding`)", { hint: "send it as it is" });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts open brackets outside strings; strings are jumped over, so long content costs next to nothing. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === 0x5b || unit === 0x7b) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** JSON makes `__proto__` an own key; whoever copies such an object would set its prototype. */
function hasPrototypeKey(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(hasPrototypeKey);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}
