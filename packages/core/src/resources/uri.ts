import { ChestError } from "@chest/contracts";
import { type Layer, readLayer } from "../memory/layer.ts";

const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** Parsed address of a resource. */
export type ResourceUri = { readonly limit: number; readonly offset: number } & (
  | { readonly kind: "stats" | "context" | "hot" | "recent" | "realizes" }
  | { readonly kind: "entity"; readonly name: string }
  | { readonly kind: "layer"; readonly layer: Layer }
  | { readonly kind: "memory" | "history"; readonly id: number }
);

const PLAIN = ["stats", "context", "hot", "recent", "realizes"] as const;

/** Parses `memory://…` with `?limit=` and `&cursor=`; throws errors that the reader can correct. */
export function readResourceUri(uri: string): ResourceUri {
  const [, path = "", query = ""] = /^memory:\/\/([^?#]*)(?:\?([^#]*))?$/.exec(uri) ?? [];
  const page = readPage(new URLSearchParams(query));
  const plain = PLAIN.find((kind) => kind === path);
  if (plain) return { kind: plain, ...page };
  const slash = path.indexOf("/");
  const kind = slash < 0 ? path : path.slice(0, slash);
  const rest = slash < 0 ? "" : decoded(path.slice(slash + 1), uri);
  if (kind === "entity" && rest !== "") return { kind, name: rest, ...page };
  if (kind === "layer" && rest !== "") return { kind, layer: readLayer(rest), ...page };
  if ((kind === "memory" || kind === "history") && /^[1-9]\d{0,15}$/.test(rest))
    return { kind, id: Number(rest), ...page };
  throw noSuchResource(uri);
}

export function noSuchResource(uri: string): ChestError {
  return new ChestError("NOT_FOUND", `resource \`${uri.slice(0, 200)}\` not found`, {
    hint: "list the resources and their templates to see what there is",
    details: { id: uri.slice(0, 200) },
  });
}

function readPage(query: URLSearchParams): { limit: number; offset: number } {
  return {
    limit: readNumber(query, "limit", 1, MAX_PAGE, DEFAULT_PAGE),
    offset: readNumber(query, "cursor", 0, 1e9, 0),
  };
}

function readNumber(query: URLSearchParams, name: string, least: number, most: number, fallback: number): number {
  const given = query.get(name);
  if (given === null) return fallback;
  const number = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ChestError("INVALID_INPUT", `${name}: must be a whole number from ${least} to ${most}`, {
    hint: "follow `next` as it was given",
    details: { field: name, given: given.slice(0, 40) },
  });
}

/** Decodes a part of an address; throws if it is malformed. */
export function decoded(text: string, uri: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw noSuchResource(uri);
  }
}
