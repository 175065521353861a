import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "@chest/runtime";
import { isRunnersCopy, keptProgram, keptProgramsIn } from "@chest/runtime/programs";
import { type ConfigurationOptions, makeOwnFolder } from "./created-files.ts";
import type { Step } from "./step.ts";

/** Program of this release where it stays: beside the bundle or the sources' bundle, or as kept in the data folder. */
export function lastingProgram(name: string, dataDir: string): string {
  const file = shippedProgram(name);
  return isRunnersCopy(file) ? keptProgram(dataDir, name) : file;
}

/** Keeps the programs of a package runner's copy, with the packages that they load; nothing of another installation. */
export async function keepPrograms(options: ConfigurationOptions): Promise<Step[]> {
  const file = shippedProgram("chest-memory.js");
  return isRunnersCopy(file) ? [await keepPackage(dirname(dirname(file)), options)] : [];
}

/** Removes the kept programs. */
export function removePrograms({ dataDir, isDry }: ConfigurationOptions): Step[] {
  const path = keptProgramsIn(dataDir);
  if (!existsSync(path)) return [];
  const places = [path, ...draftsOf(path)];
  if (!isDry)
    inUse(path, () => {
      for (const place of places) rmSync(place, { recursive: true, force: true });
    });
  return [{ step: "programs", outcome: "removed", path }];
}

/**
 * Copies a package and its dependencies. An existing copy is replaced as a whole, so that no agent starts with files of two
 * releases.
 */
export async function keepPackage(folder: string, { dataDir, isDry }: ConfigurationOptions): Promise<Step> {
  const path = keptProgramsIn(dataDir);
  const packages = withDependencies(folder);
  const places = packages.map((from) => [from, join(path, "node_modules", nameOf(from))] as const);
  const isThere = existsSync(path);
  if (isThere && places.every(([from, to]) => isSame(from, to)))
    return { step: "programs", outcome: "unchanged", path };
  const outcome = isThere ? "updated" : "added";
  if (isDry) return { step: "programs", outcome, path };
  await makeOwnFolder(dirname(path), dataDir);
  const [draft, former] = draftsOf(path);
  for (const rest of [draft, former]) rmSync(rest, { recursive: true, force: true });
  for (const from of packages)
    cpSync(from, join(draft, "node_modules", nameOf(from)), { recursive: true, dereference: true });
  inUse(path, () => {
    if (isThere) renameSync(path, former);
    renameSync(draft, path);
  });
  rmSync(former, { recursive: true, force: true });
  return { step: "programs", outcome, path };
}

/** Folders that an interrupted setup may have left. */
const draftsOf = (path: string) => [`${path}.new`, `${path}.old`] as const;

/** Beside the bundle, or where the sources' bundle goes. */
function shippedProgram(name: string): string {
  const places = [`./${name}`, `../../../mcp/dist/${name}`];
  const found = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (!found) throw new StartError(`this installation lacks \`${name}\``, "in a clone `npm run build` makes it");
  return found;
}

/** Folders of a package and of what it depends on, as far as they are installed beside it. */
function withDependencies(folder: string): string[] {
  const found = new Map<string, string>();
  const take = (place: string) => {
    const name = nameOf(place);
    if (found.has(name) || !existsSync(join(place, "package.json"))) return;
    const whole = realpathSync(place);
    found.set(name, place);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(whole, "package.json"), "utf8"));
    const beside = dirname(name.startsWith("@") ? dirname(whole) : whole);
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies }))
      take(existsSync(join(whole, "node_modules", each)) ? join(whole, "node_modules", each) : join(beside, each));
  };
  take(folder);
  return [...found.values()];
}

/** Name of the package that lies in a folder. */
function nameOf(folder: string): string {
  const scope = basename(dirname(folder));
  return scope.startsWith("@") ? `${scope}/${basename(folder)}` : basename(folder);
}

function isSame(from: string, to: string): boolean {
  const stats = statSync(from);
  const there = statSync(to, { throwIfNoEntry: false });
  if (!there || there.isDirectory() !== stats.isDirectory()) return false;
  if (!stats.isDirectory()) return stats.size === there.size && readFileSync(from).equals(readFileSync(to));
  const [names, others] = [readdirSync(from), readdirSync(to)];
  return names.length === others.length && names.every((name) => isSame(join(from, name), join(to, name)));
}

/** Windows does not move or remove a program that runs. */
function inUse(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EBUSY" && code !== "EPERM" && code !== "ENOTEMPTY") throw error;
    throw new StartError(`an agent runs the programs in \`${path}\``, "end the agents, then run this again", error);
  }
}
