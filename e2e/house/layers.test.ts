import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const CONTRACTS = "packages/contracts";
const RUNTIME = "packages/runtime";
const CORE = "packages/core";
/** Package with the relational half of both engines. */
const STORE = "packages/store";
/**
 * Package with engines, fakes and contract suites for tests. It may import all other packages, and no product imports
 * it.
 */
const TESTING = "packages/testing";
/** Thread of the backend that no package imports; its tests make stores of both engines. */
const SCHEMA_CHECK = "packages/schema-check";

/** Libraries that only one folder may import. */
const KEPT_INSIDE: Record<string, readonly string[]> = {
  "better-sqlite3": ["packages/store-sqlite"],
  "@prisma/": ["packages/store", "packages/schema-check"],
  pg: ["packages/store-postgres"],
  undici: ["packages/client"],
  "@huggingface/": ["packages/models"],
  pino: [RUNTIME],
  fastify: ["apps/server"],
  "@fastify/": ["apps/server"],
  // The view inside a chat uses this library to talk to its host.
  "@modelcontextprotocol/ext-apps": ["apps/web"],
  "@modelcontextprotocol/": ["packages/mcp-server", "apps/mcp", "apps/server", "apps/cli"],
  citty: ["apps/cli"],
};

const members = ["packages", "apps"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
    .map((entry) => `${folder}/${entry.name}`)
    // The Python client imports no package, and no package imports it.
    .filter((member) => existsSync(join(ROOT, member, "package.json"))),
);
const manifests = new Map(members.map((member) => [member, readManifest(member)]));
const memberOf = new Map([...manifests].map(([member, { name }]) => [name, member]));
const edges = members.flatMap((from) => ourDependencies(from).map((to) => ({ from, to })));

describe("the layers", () => {
  it("find manifests and imports to check", () => {
    expect(members).toEqual(expect.arrayContaining([CONTRACTS, CORE, RUNTIME]));
    expect(edges.length).toBeGreaterThan(members.length);
  });

  it.each(edges)("let $from depend on $to", ({ from, to }) => {
    expect(layerOf(to)).toBeLessThan(layerOf(from));
  });

  it("give the runtime no package of Chest but the contracts", () => {
    expect(ourDependencies(RUNTIME).filter((name) => name !== CONTRACTS)).toEqual([]);
  });

  it("give the core no library but zod, a stemmer and a parser of expressions", () => {
    expect(librariesOf(CORE).sort()).toEqual(["@jsep-plugin/new", "jsep", "stemmer", "zod"]);
  });

  it.each(members.filter((member) => member !== TESTING))("ships nothing of the test package in %s", (member) => {
    const { dependencies, optionalDependencies } = manifests.get(member) ?? readManifest(member);
    const shipped = Object.keys({ ...dependencies, ...optionalDependencies });
    expect(shipped.map((name) => memberOf.get(name))).not.toContain(TESTING);
    const sources = sourcesOf(member).filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"));
    expect(sources.filter((file) => importsOf(file).includes("@chest/testing"))).toEqual([]);
  });

  it.each(members)("let %s import only what it may", (member) => {
    const foreign = sourcesOf(member).flatMap((file) =>
      importsOf(file)
        .filter((name) => !mayImport(member, name))
        .map((name) => `${file}: ${name}`),
    );
    expect(foreign).toEqual([]);
  });

  // V8 makes a hidden class for each such object, which outlives the call and holds everything it refers to until a
  // major collection.
  it.each(members.filter((member) => layerOf(member) < 4))("lets no call of %s make a generator function", (member) => {
    const ours = sourcesOf(member).filter((file) => !file.endsWith(".test.ts") && !file.includes("/testing/"));
    const inner = ours.filter((file) => /^[ \t]+(?:async )?function\*/m.test(readFileSync(file, "utf8")));
    expect(inner).toEqual([]);
  });
});

/**
 * Packages in order: contracts, core, the shared store, then all other packages side by side, then the package for
 * tests, then the apps.
 */
function layerOf(member: string): number {
  if (member === CONTRACTS) return 0;
  if (member === CORE) return 1;
  if (member === STORE) return 2;
  if (member === TESTING || member === SCHEMA_CHECK) return 4;
  return member.startsWith("packages/") ? 3 : 5;
}

function readManifest(member: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, member, "package.json"), "utf8"));
}

/** Dependencies of a package and of its tests, except the package for tests. */
function allDependencies(member: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifests.get(member) ?? readManifest(member);
  const named = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  return named.filter((name) => memberOf.get(name) !== TESTING);
}

function ourDependencies(member: string): string[] {
  return allDependencies(member)
    .map((name) => memberOf.get(name))
    .filter((to) => to !== undefined);
}

function librariesOf(member: string): string[] {
  return Object.keys(manifests.get(member)?.dependencies ?? {}).filter((name) => !memberOf.has(name));
}

function sourcesOf(member: string): string[] {
  return readdirSync(join(ROOT, member, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("generated"));
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from\s+|import\s*\(?\s*)"([^"]+)"/g)].map(([, name]) => name ?? "");
}

function mayImport(member: string, name: string): boolean {
  const kept = Object.entries(KEPT_INSIDE).find(([library]) =>
    library.endsWith("/") ? name.startsWith(library) : name === library || name.startsWith(`${library}/`),
  );
  return kept === undefined || kept[1].includes(member);
}
