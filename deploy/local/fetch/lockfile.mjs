/**
 * Reads a lockfile of pnpm into nested objects. It is YAML of few forms: maps by indentation, a scalar, `{…}` or `[…]` on the
 * line of its key. No parser of YAML is there yet when packages are fetched.
 */
export function readLockfile(text) {
  const root = {};
  const open = [{ indent: -1, map: root }];
  for (const line of text.split("\n")) {
    const end = line.endsWith(":") ? line.length - 1 : line.indexOf(": ");
    if (end < 1) continue;
    const indent = line.search(/\S/);
    while (open.at(-1).indent >= indent) open.pop();
    const { map } = open.at(-1);
    // Below a scalar: a text of several lines, which nothing here needs.
    if (map === undefined) continue;
    const isMap = end === line.length - 1;
    const value = isMap ? {} : parsed(line.slice(end + 2));
    map[unquoted(line.slice(indent, end))] = value;
    open.push({ indent, map: isMap ? value : undefined });
  }
  return root;
}

function parsed(text) {
  if (text.startsWith("[")) return partsOf(text);
  if (!text.startsWith("{")) return unquoted(text);
  return Object.fromEntries(partsOf(text).map((part) => part.split(/: (.*)/s, 2).map(unquoted)));
}

const partsOf = (text) =>
  text
    .slice(1, -1)
    .split(", ")
    .filter((part) => part !== "")
    .map(unquoted);

const unquoted = (text) => text.replace(/^'(.*)'$/s, "$1");

/**
 * Packages and links that members of the workspace need on this platform, in the form of pnpm's own installation.
 * @param roots members by their folder, each with the kinds of dependencies that count, or with the names of some
 * @returns the packages by key, and each folder of the workspace with the links in its `node_modules`
 */
export function neededBy(lockfile, roots, platform = thisPlatform()) {
  const packages = new Map();
  const members = new Map();
  const visitPackage = (key) => {
    if (packages.has(key)) return true;
    const { resolution, os, cpu, libc } = lockfile.packages[key.replace(/\(.*$/s, "")] ?? {};
    if (
      ![
        [os, platform.os],
        [cpu, platform.cpu],
        [libc, platform.libc],
      ].every(isAllowed)
    )
      return false;
    if (!resolution?.integrity) throw new Error(`${key} has no checksum in the lockfile`);
    const links = {};
    packages.set(key, { key, ...splitKey(key), integrity: resolution.integrity, links });
    const { dependencies, optionalDependencies } = lockfile.snapshots[key] ?? {};
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      const target = keyOf(name, version);
      if (!isUnused(name) && visitPackage(target)) links[name] = target;
    }
    return true;
  };
  const keyOf = (name, version) => (`${name}@${version}` in lockfile.snapshots ? `${name}@${version}` : version);
  const visitMember = (folder, { kinds = RUNTIME, names }) => {
    const links = members.get(folder) ?? {};
    members.set(folder, links);
    for (const kind of kinds)
      for (const [name, { version }] of Object.entries(lockfile.importers[folder]?.[kind] ?? {})) {
        if (isUnused(name) || name in links || (names && !names.includes(name))) continue;
        if (!version.startsWith("link:")) {
          const key = keyOf(name, version);
          if (visitPackage(key)) links[name] = { key };
          continue;
        }
        const target = joined(folder, version.slice("link:".length));
        links[name] = { member: target };
        if (!members.has(target)) visitMember(target, roots[target] ?? {});
      }
  };
  for (const [folder, wants] of Object.entries(roots)) visitMember(folder, wants);
  return { packages, members };
}

const RUNTIME = ["dependencies", "optionalDependencies"];
/** Kinds of dependencies of a member that is bundled with what its manifest lists for development. */
export const ALL_KINDS = [...RUNTIME, "devDependencies"];

// Packages that the bundles never reach, with all behind them: servers of the MCP SDK that are not ours, modules that the
// bundler's plugins replace, declarations of types. A build that comes to need one fails and names it.
const UNREACHED = new Set([
  ...["express", "express-rate-limit", "cors", "hono", "@hono/node-server", "@cfworker/json-schema"],
  ...["glob", "ip-address", "@fastify/ajv-compiler", "@fastify/fast-json-stringify-compiler"],
  ...["@scalar/schemas", "@scalar/types", "@opentelemetry/sdk-logs", "node-addon-api"],
  ...["type-fest", "openapi-types"],
]);
const isUnused = (name) => name.startsWith("@types/") || UNREACHED.has(name);

const isAllowed = ([allowed, own]) => allowed === undefined || own === undefined || allowed.includes(own);

function splitKey(key) {
  const plain = key.replace(/\(.*$/s, "");
  const at = plain.lastIndexOf("@");
  return { name: plain.slice(0, at), version: plain.slice(at + 1) };
}

/** Joins a relative path to a folder, both with `/`. */
function joined(folder, path) {
  const parts = folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function thisPlatform() {
  const { glibcVersionRuntime } = process.platform === "linux" ? process.report.getReport().header : {};
  const libc = process.platform === "linux" ? (glibcVersionRuntime ? "glibc" : "musl") : undefined;
  return { os: process.platform, cpu: process.arch, libc };
}
