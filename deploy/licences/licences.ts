import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A package that is there when Chest runs. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; `none` where the package states nothing. */
  readonly licence: string;
}

/** Licences that are allowed beside permissive licences, by the package's name; `*` stands for any part of it. */
export type Exceptions = Readonly<Record<string, { readonly licence: string; readonly reason: string }>>;

export interface Judged extends Package {
  /** Undefined for a permissive licence. */
  readonly reason: string | undefined;
  readonly isAllowed: boolean;
}

const PERMISSIVE = /^(MIT|ISC|BSD|BSD-[234]-Clause|Apache-2\.0|0BSD|BlueOak-1\.0\.0|Unlicense)$/i;
// Only tests need what it depends on.
const TESTS = "testing";

/** Every package that the workspace and its members depend on at run time, and what those depend on, as installed. */
export function runtimePackages(root: string): Package[] {
  const found = new Map<string, Package>();
  const seen = new Set<string>();
  const members = membersOf(root);
  const visit = (folder: string) => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const manifest = readManifest(folder);
    const { name, version } = manifest;
    const isOurs = members.includes(folder);
    if (!isOurs) found.set(`${name}@${version}`, { name, version, licence: statedIn(manifest) });
    for (const [needed, mayLack] of needsOf(manifest)) {
      const place = installed(folder, needed);
      if (place) visit(place);
      // An override may leave out what a package needs; then it is not there when Chest runs either.
      else if (isOurs && !mayLack) throw new Error(`${name} needs ${needed}, which is not installed`);
    }
  };
  for (const member of members) if (basename(member) !== TESTS) visit(member);
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Says of each package whether its licence is permissive, or listed with the reason why it is allowed. */
export function judge(packages: readonly Package[], exceptions: Exceptions): Judged[] {
  return packages.map((one) => {
    if (isPermissive(one.licence)) return { ...one, reason: undefined, isAllowed: true };
    const [, listed] = Object.entries(exceptions).find(([pattern]) => matches(pattern, one.name)) ?? [];
    const isAllowed = listed?.licence === one.licence && listed.reason.trim() !== "";
    return { ...one, reason: isAllowed ? listed.reason : undefined, isAllowed };
  });
}

/** One of the choices of `OR`, each part of `AND`. */
export function isPermissive(expression: string): boolean {
  const bare = expression.trim().replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(bare)) return false;
  return bare.split(/ OR /i).some((choice) => choice.split(/ AND /i).every((part) => PERMISSIVE.test(part.trim())));
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly licenses?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** A string today; an object, or a list of them, in packages of long ago. */
function statedIn({ license, licenses }: Manifest): string {
  const stated = [license ?? licenses].flat().flatMap((one) => {
    const text = typeof one === "string" ? one : (one as { type?: unknown } | undefined)?.type;
    return typeof text === "string" && text.trim() !== "" ? [text.trim()] : [];
  });
  return stated.join(" OR ") || "none";
}

/** Names, and whether each may be missing. */
function needsOf(manifest: Manifest): Map<string, boolean> {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  return new Map([
    ...Object.keys(peerDependencies)
      .filter((name) => !peerDependenciesMeta[name]?.optional)
      .map((name) => [name, true] as const),
    ...Object.keys(dependencies).map((name) => [name, false] as const),
    ...Object.keys(optionalDependencies).map((name) => [name, true] as const),
  ]);
}

/** Folder where Node would find a package, asked from inside another one. */
function installed(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    try {
      const place = realpathSync(join(folder, "node_modules", name));
      readFileSync(join(place, "package.json"));
      return place;
    } catch {
      if (dirname(folder) === folder) return undefined; // In no folder above either.
    }
  }
}

function membersOf(root: string): string[] {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  return [root, ...folders]
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => realpathSync(folder));
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`).test(name);

const keyOf = ({ name, version }: Package): string => `${name}@${version}`;
