import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { globOf } from "@chest/core/triggers";
import { readSmallText } from "./small-text.ts";

const MOST_INCLUDED = 16;
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/i;
const HOST_NAME = /^[\w.:-]{1,255}$/;

/**
 * Reads the host that ssh connects to for a name: the `HostName` of the user's configuration or of the system's. The name
 * itself where there is none, or where it leads to a tunnel on this machine. Programs that `Match exec` names are not run.
 */
export function sshHostOf(host: string, home: string): string {
  for (const file of [join(home, ".ssh/config"), "/etc/ssh/ssh_config"]) {
    const named = new Search(host, home).in(file, true);
    if (named === undefined) continue;
    const resolved = named.replaceAll(/%[h%]/g, (token) => (token === "%h" ? host : "%"));
    return HOST_NAME.test(resolved) && !LOOPBACK.test(resolved) ? resolved : host;
  }
  return host;
}

/** Search for the first `HostName` of the blocks that are for one host. */
class Search {
  readonly #host: string;
  readonly #home: string;
  #files = 0;

  constructor(host: string, home: string) {
    this.#host = host;
    this.#home = home;
  }

  in(file: string, isFor: boolean): string | undefined {
    this.#files += 1;
    if (this.#files > MOST_INCLUDED) return undefined;
    let isActive = isFor;
    for (const line of (readSmallText(file) ?? "").split("\n")) {
      const [, keyword = "", rest = ""] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(\S.*)$/.exec(line) ?? [];
      const words = wordsOf(rest);
      switch (keyword.toLowerCase()) {
        case "host":
          isActive = isFor && this.#isListed(words);
          break;
        case "match":
          isActive = isFor && this.#isMatched(words);
          break;
        case "hostname":
          if (isActive && words[0] !== undefined) return words[0];
          break;
        case "include": {
          const named = isActive ? this.#included(words) : undefined;
          if (named !== undefined) return named;
          break;
        }
      }
    }
    return undefined;
  }

  #included(patterns: readonly string[]): string | undefined {
    for (const pattern of patterns) {
      const path = pattern.startsWith("~/") ? join(this.#home, pattern.slice(2)) : pattern;
      for (const file of filesOf(isAbsolute(path) ? path : join(this.#home, ".ssh", path))) {
        const named = this.in(file, true);
        if (named !== undefined) return named;
      }
    }
    return undefined;
  }

  /** One of the patterns has to be for the host, and none that begins with `!`. */
  #isListed(patterns: readonly string[]): boolean {
    const isFor = (pattern: string) => globOf(`/${pattern}`)([this.#host]);
    return (
      patterns.some((pattern) => !pattern.startsWith("!") && isFor(pattern)) &&
      !patterns.some((pattern) => pattern.startsWith("!") && isFor(pattern.slice(1)))
    );
  }

  /** Blocks that depend on more than the host's name are passed over. */
  #isMatched(criteria: readonly string[]): boolean {
    for (let nth = 0; nth < criteria.length; nth += 2) {
      const criterion = criteria[nth]?.toLowerCase();
      if (criterion === "all") return criteria.length === 1;
      if (criterion !== "host" && criterion !== "originalhost") return false;
      if (!this.#isListed((criteria[nth + 1] ?? "").split(","))) return false;
    }
    return criteria.length > 0;
  }
}

/** Words of a line, with the quotes of those that have them taken off; a comment ends it. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(/"[^"]*"|[^\s"]+/g)) {
    if (word.startsWith("#")) break;
    words.push(word.startsWith('"') ? word.slice(1, -1) : word);
  }
  return words;
}

/** Files that a pattern names; only its last part may hold `*` and `?`. */
function filesOf(pattern: string): string[] {
  const folder = dirname(pattern);
  const name = pattern.slice(folder.length).replace(/^\/+/, "");
  if (!/[*?]/.test(name)) return [pattern];
  try {
    return readdirSync(folder)
      .filter((each) => globOf(`/${name}`)([each]) && !each.startsWith("."))
      .sort()
      .map((each) => join(folder, each));
  } catch {
    return []; // No such folder.
  }
}
