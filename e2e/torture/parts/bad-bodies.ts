import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { RawRequest } from "../../support/clients/raw-http.ts";
import { aFact } from "../common.ts";

export const MIB = 1024 * 1024;
export const LEVELS = 30_000;
export const BOMB = 200 * MIB;
const FACT = JSON.stringify(aFact("compressed all the same"));

export interface Bad extends RawRequest {
  readonly status: number;
  readonly says: RegExp;
}

const json = { status: 400, says: /JSON/ } as const;
const encoded = (encoding: string, body: Buffer): Bad => ({
  status: 400,
  says: /compressed/,
  headers: { "content-encoding": encoding },
  body,
});

/** Bodies that are wrong for every route; built for each route, because they depend on its limit. */
export const FOR_ALL: Readonly<Record<string, (limit: number) => Bad>> = {
  "a byte too many": (limit) => ({ status: 413, says: /longer than/, body: Buffer.alloc(limit + 1, 0x20) }),
  "a byte too many in chunks": (limit) => ({
    status: 413,
    says: /longer than/,
    body: Buffer.alloc(limit + 1, 0x20),
    isChunked: true,
  }),
  "a gigabyte announced": () => ({
    status: 413,
    says: /longer than/,
    body: Buffer.alloc(MIB / 2, 0x20),
    headers: { "content-length": "1000000000" },
  }),
  gzip: () => encoded("gzip", gzipSync(FACT)),
  deflate: () => encoded("deflate", deflateSync(FACT)),
  brotli: () => encoded("br", brotliCompressSync(FACT)),
  "gzip twice": () => encoded("gzip, gzip", gzipSync(gzipSync(FACT))),
  "a bomb of gzip": () => encoded("gzip", bomb()),
};

/** Bodies that are wrong where JSON is expected. */
export const FOR_JSON: Readonly<Record<string, () => Bad>> = {
  nothing: () => ({ status: 400, says: /JSON/, body: "" }),
  "lists, deep": () => ({ status: 400, says: /nested/, body: "[".repeat(LEVELS) + "]".repeat(LEVELS) }),
  "objects, deep": () => ({
    status: 400,
    says: /nested/,
    body: `${'{"a":'.repeat(LEVELS / 5)}1${"}".repeat(LEVELS / 5)}`,
  }),
  "lists, open": () => ({ status: 400, says: /nested/, body: "[".repeat(LEVELS / 2) }),
  torn: () => ({ ...json, body: FACT.slice(0, FACT.length / 2) }),
  "two of them": () => ({ ...json, body: FACT + FACT }),
  "single quotes": () => ({ ...json, body: FACT.replaceAll('"', "'") }),
  "a trailing comma": () => ({ ...json, body: FACT.replace(/\}$/, ",}") }),
  "a comment": () => ({ ...json, body: `/* a */${FACT}` }),
  "not a number": () => ({ ...json, body: FACT.replace("true", "NaN") }),
  "UTF-16": () => ({ ...json, body: Buffer.from(FACT, "utf16le") }),
  "a raw NUL": () => ({ ...json, body: FACT.replace("same", "\u0000") }),
  "bytes of anything": () => ({
    status: 400,
    says: /UTF-8/,
    body: Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 167) % 256)),
  }),
  form: () => ({
    ...json,
    body: "entity_name=a&content=b",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "a prototype": () => ({ status: 400, says: /__proto__/, body: `{"__proto__":{"force":true},${FACT.slice(1)}` }),
};

let packed: Buffer | undefined;
/** A few hundred kilobytes that expand to hundreds of megabytes. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(BOMB, 0x20));
  return packed;
}
