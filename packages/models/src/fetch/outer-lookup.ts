import { lookup as resolveName } from "node:dns";
import type { LookupFunction } from "node:net";
import { isInnerAddress } from "@chest/core/webhooks";

/** Tells a host whose address, or one of the addresses of its name, is not public; false where the name does not resolve. */
export function isInnerHost(host: string): Promise<boolean> {
  return new Promise((resolve) =>
    resolveName(host, { all: true }, (error, found) =>
      resolve(!error && found.some(({ address }) => isInnerAddress(address))),
    ),
  );
}

/** Looks names up as Node does, and refuses those of which an address is inner, unless `isAllowed`. */
export function outerLookup(isAllowed: () => Promise<boolean>, refusal: () => Error): LookupFunction {
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
