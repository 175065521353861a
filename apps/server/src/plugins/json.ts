import { ChestError } from "@chest/contracts";
import { isNestedDeeper, wellFormed } from "@chest/core/text";
import type { FastifyInstance } from "fastify";

// Deeper than any schema here, and shallow enough for the recursive code that reads the body.
const MAX_DEPTH = 64;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route gets the raw body. */
    keepsBody?: boolean;
  }
}

/** Reads every body as JSON under any content type, and writes every answer as JSON. */
export function addJson(app: FastifyInstance): void {
  // The schemas of routes serve the documentation only, since the executor checks the input of each call.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  app.removeAllContentTypeParsers();
  // Fastify would refuse a malformed content type before it asks a parser.
  app.addHook("onRequest", (request, _reply, done) => {
    if (NUL.test(request.url)) return done(nulInAddress());
    const { "content-encoding": encoding = "identity" } = request.headers;
    if (encoding !== "identity") return done(compressed());
    if (request.routeOptions.config?.keepsBody) return done();
    if (request.headers["content-type"] !== undefined) request.headers["content-type"] = "application/json";
    done();
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    try {
      done(null, readJson(textOf(body as Buffer)));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

// Decoding invalid UTF-8 would replace characters and lose the meaning.
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function textOf(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw unreadable("is not UTF-8", "send it as UTF-8; `iconv -t UTF-8` converts a text");
  }
}

/** Parses hostile JSON safely: deep nesting and dangerous keys are refused. */
export function readJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) throw unreadable(`is nested deeper than ${MAX_DEPTH} levels`);
  const value = text.includes("\\u0000") ? withoutNul(parse(text)) : parse(text);
  if (hasPrototypeKey(value)) throw unreadable("has a key named `__proto__`");
  return value;
}

/** Replaces U+0000, which not every engine can store, as the text of memories does. */
function withoutNul(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(withoutNul);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [wellFormed(key), withoutNul(inner)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("is not JSON"); // The parser's message would quote the body.
  }
}

function unreadable(what: string, hint = "send one JSON object"): ChestError {
  const message = `the body ${what}`;
  return new ChestError("VALIDATION_ERROR", message, {
    hint,
    details: { issues: [{ path: "", message }] },
  });
}

/**
 * Encoded U+0000 in the path or the query. A doubly encoded one counts too, since some readers decode a value again.
 */
const NUL = /%(?:25)*00/;

const nulInAddress = () =>
  new ChestError("VALIDATION_ERROR", "the address holds U+0000 (`%00`)", {
    hint: "leave it out: no name or text has it",
  });

// A few compressed bytes can expand to gigabytes, so compressed bodies are refused.
const compressed = () =>
  new ChestError("VALIDATION_ERROR", "the body is compressed (`content-encoding`)", { hint: "send it uncompressed" });

/** JSON makes `__proto__` an own key, and code that copies such an object would set its prototype. */
function hasPrototypeKey(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(hasPrototypeKey);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}
