import { BlockList, isIP } from "node:net";

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

// Networks of IPv6 that are not public. Ranges that lead on to IPv4 by a local gateway or by abandoned tunnels have no
// receiver outside.
const V6_NETWORKS = [
  ["::", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 9],
  ["ff00::", 8],
] as const;

let networks: BlockList | undefined;

/** Tells a loopback, link-local, private or otherwise not public address; false for a name. */
export function isInnerAddress(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return false;
  networks ??= innerNetworks();
  return networks.check(host, family === 6 ? "ipv6" : "ipv4");
}

function innerNetworks(): BlockList {
  const inner = new BlockList();
  // An IPv4 address mapped into IPv6 is compared with the rules of IPv4 by itself; one behind NAT64 is not.
  for (const [network, bits] of V4_NETWORKS) {
    inner.addSubnet(network, bits, "ipv4");
    inner.addSubnet(`64:ff9b::${network}`, 96 + bits, "ipv6");
  }
  for (const [network, bits] of V6_NETWORKS) inner.addSubnet(network, bits, "ipv6");
  return inner;
}
