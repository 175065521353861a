import { lookup as resolveName } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const V4_NETWORKS = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const;

const V6_NETWORKS = [
  ["::", 96],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const;

// An IPv4 address mapped into IPv6 is compared with the rules of IPv4 by itself; one behind NAT64 is not.
const INNER = new BlockList();
for (const [network, bits] of V4_NETWORKS) {
  INNER.addSubnet(network, bits, "ipv4");
  INNER.addSubnet(`64:ff9b::${network}`, 96 + bits, "ipv6");
}
for (const [network, bits] of V6_NETWORKS) INNER.addSubnet(network, bits, "ipv6");

/** Tells a loopback, link-local, private or otherwise not public address; false for a name. */
export function isInnerAddress(host: string): boolean {
  const family = isIP(host);
  return family !== 0 && INNER.check(host, family === 6 ? "ipv6" : "ipv4");
}

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
