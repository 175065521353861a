import { lookup as resolveName } from "node:dns";
import type { LookupFunction } from "node:net";
import { ChestError } from "@chest/contracts";
import { isInnerAddress } from "@chest/core/webhooks";

/** An answer's head, and its body as it comes. */
export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** Hangs up; the body ends with an error. */
  close(): void;
}

/**
 * One GET through any proxy. A redirect is an answer. Rejects when none comes.
 * @param lookup resolves the host's name where no proxy does that
 */
export type Get = (
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  lookup?: LookupFunction,
) => Promise<Download>;

/** Metadata of a file, from any of the hub's hosts. */
export interface Metadata {
  readonly bytes: number | undefined;
  readonly digest: Digest | undefined;
}

/** SHA-256 of a large file, or the SHA-1 that git has for a small one. */
export interface Digest {
  readonly kind: "sha256" | "git";
  readonly hex: string;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A GET that follows redirects, and gathers what each of the hosts says of the file. From a public host none leads to an
 * address inside: what a hub answers must not make this machine ask its own network.
 */
export async function follow(
  get: Get,
  start: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Download & Metadata> {
  let url = start;
  let bytes: number | undefined;
  let digest: Digest | undefined;
  const inside = guardOf(start);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await inside.guarded((lookup) => get(url, headers, signal, hops === 0 ? undefined : lookup));
    bytes ??= numberIn(one(answer, "x-linked-size"));
    digest ??= digestIn(one(answer, "x-linked-etag")) ?? digestIn(one(answer, "etag"));
    if (!REDIRECTS.has(answer.status)) return { ...answer, bytes: bytes ?? wholeSize(answer), digest };
    answer.close();
    const target = one(answer, "location");
    if (!target || !URL.canParse(target, url.href)) throw odd(url, "redirects to nowhere");
    const next = new URL(target, url);
    if (!/^https?:$/.test(next.protocol) || (url.protocol === "https:" && next.protocol !== "https:"))
      throw odd(url, "redirects to where nothing is protected");
    await inside.refuseAddress(next);
    url = next;
  }
  throw odd(start, "redirects for ever");
}

/** Refuses what leads inside by its address, or by that of its name when it is connected to. */
function guardOf(start: URL) {
  let isStartInner: Promise<boolean> | undefined;
  const isAllowed = () => (isStartInner ??= isInnerHost(bareHost(start)));
  const refusal = () =>
    new ChestError("BACKEND_PROTOCOL_ERROR", `${start.host} redirects to an address that is not public`, {
      hint: "name the host that has the files with `--endpoint URL`, if it is one of yours",
    });
  return {
    async refuseAddress(url: URL): Promise<void> {
      if (isInnerAddress(bareHost(url)) && !(await isAllowed())) throw refusal();
    },
    /** The transport wraps errors: a refusal is thrown as it was, not wrapped. */
    async guarded<T>(work: (lookup: LookupFunction) => Promise<T>): Promise<T> {
      let refused: ChestError | undefined;
      const lookup = outerLookup(isAllowed, () => (refused = refusal()));
      try {
        return await work(lookup);
      } catch (error) {
        throw refused ?? error;
      }
    },
  };
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

export function one({ headers }: Pick<Download, "headers">, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** Size of the whole file, from a partial or a whole answer. */
function wholeSize(answer: Download): number | undefined {
  if (answer.status === 206) return numberIn(/\/(\d+)$/.exec(one(answer, "content-range") ?? "")?.[1]);
  return answer.status === 200 ? numberIn(one(answer, "content-length")) : undefined;
}

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

function digestIn(etag: string | undefined): Digest | undefined {
  const hex = etag?.replace(/^W\//, "").replaceAll('"', "").toLowerCase() ?? "";
  if (/^[0-9a-f]{64}$/.test(hex)) return { kind: "sha256", hex };
  return /^[0-9a-f]{40}$/.test(hex) ? { kind: "git", hex } : undefined;
}

const odd = ({ host }: URL, what: string) =>
  new ChestError("BACKEND_PROTOCOL_ERROR", `${host} ${what}`, { hint: "try another mirror with `--endpoint URL`" });

/** Tells a host whose address, or one of the addresses of its name, is not public; false where the name does not resolve. */
function isInnerHost(host: string): Promise<boolean> {
  return new Promise((resolve) =>
    resolveName(host, { all: true }, (error, found) =>
      resolve(!error && found.some(({ address }) => isInnerAddress(address))),
    ),
  );
}

/** Looks names up as Node does, and refuses those of which an address is inner, unless `isAllowed`. */
function outerLookup(isAllowed: () => Promise<boolean>, refusal: () => Error): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, async (error, found) => {
      if (error) return done(error, "");
      const isInner = found.some(({ address }) => isInnerAddress(address));
      if (isInner && !(await isAllowed())) return done(refusal(), "");
      if (options.all) return done(null, found);
      return done(null, found[0]?.address ?? "", found[0]?.family);
    });
  };
}
