import type { Setting } from "./git-config.ts";
import { sshHostOf } from "./ssh-host.ts";

/**
 * Finds one remote: its first URL as it is written, and the address that it stands for, since the longest `insteadOf` that it
 * begins with is rewritten. Undefined where there is no such remote.
 */
export function addressOfRemote(
  settings: readonly Setting[],
  remote: string,
): { readonly url: string; readonly address: string } | undefined {
  let url: string | undefined;
  for (const { section, subsection, key, value } of settings) {
    if (section !== "remote" || subsection !== remote || key !== "url") continue;
    // An empty one takes the earlier ones away.
    url = value === "" ? undefined : (url ?? value);
  }
  return url === undefined ? undefined : { url, address: rewritten(settings, url) };
}

function rewritten(settings: readonly Setting[], url: string): string {
  let longest: { readonly base: string; readonly instead: string } | undefined;
  for (const { section, subsection: base, key, value: instead } of settings) {
    if (section !== "url" || key !== "insteadof" || base === undefined || !url.startsWith(instead)) continue;
    if (longest === undefined || instead.length > longest.instead.length) longest = { base, instead };
  }
  return longest === undefined ? url : longest.base + url.slice(longest.instead.length);
}

const OVER_SSH = /^((?:git\+ssh|ssh\+git|ssh):\/\/(?:[^/\s]*@)?)([^/:@\s[\]]+)(?=[:/])/i;
const SCP = /^((?:[^/\s:]*@)?)([^/:@\s[\]]+)(?=:(?!\/\/))/;

/** An address with the host that ssh connects to in place of the alias of its configuration. */
export function withSshHost(address: string, home: string): string {
  const [whole, before, host] = OVER_SSH.exec(address) ?? (/:\/\//.test(address) ? null : SCP.exec(address)) ?? [];
  if (whole === undefined || host === undefined) return address;
  return `${before}${sshHostOf(host, home)}${address.slice(whole.length)}`;
}
