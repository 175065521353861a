import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../paths.mjs";
import { neededBy, readLockfile } from "./lockfile.mjs";

const LOCKFILE = `lockfileVersion: '9.0'

importers:

  apps/server:
    dependencies:
      '@chest/core':
        specifier: workspace:*
        version: link:../../packages/core
      fastify:
        specifier: 'catalog:'
        version: 5.0.0
    devDependencies:
      typescript:
        specifier: 'catalog:'
        version: 5.9.3

  packages/core:
    dependencies:
      zod:
        specifier: 'catalog:'
        version: 4.0.0(peer@1.0.0)

packages:

  '@types/node@24.0.0':
    resolution: {integrity: sha512-types}

  fastify@5.0.0:
    resolution: {integrity: sha512-fastify}
    engines: {node: '>=20'}
    deprecated: |-
      a text: of two lines
      dependencies: none

  native-linux@1.0.0:
    resolution: {integrity: sha512-linux}
    cpu: [x64, arm64]
    os: [linux]
    libc: [glibc]

  native-win@1.0.0:
    resolution: {integrity: sha512-win}
    os: [win32]

  peer@1.0.0:
    resolution: {integrity: sha512-peer}

  typescript@5.9.3:
    resolution: {integrity: sha512-ts}

  zod@4.0.0:
    resolution: {integrity: sha512-zod}

snapshots:

  '@types/node@24.0.0': {}

  fastify@5.0.0:
    dependencies:
      '@types/node': 24.0.0
      other-name: peer@1.0.0
    optionalDependencies:
      native-linux: 1.0.0
      native-win: 1.0.0

  native-linux@1.0.0:
    optional: true

  native-win@1.0.0:
    optional: true

  peer@1.0.0: {}

  typescript@5.9.3: {}

  zod@4.0.0(peer@1.0.0):
    dependencies:
      peer: 1.0.0
`;

const LINUX = { os: "linux", cpu: "x64", libc: "glibc" };
const needed = (roots, platform = LINUX) => neededBy(readLockfile(LOCKFILE), roots, platform);

describe("a lockfile of pnpm", () => {
  it("names the packages of a member and of the members behind it, for one platform, without types", () => {
    const { packages, members } = needed({ "apps/server": {} });
    expect([...packages.keys()].sort()).toEqual([
      "fastify@5.0.0",
      "native-linux@1.0.0",
      "peer@1.0.0",
      "zod@4.0.0(peer@1.0.0)",
    ]);
    expect(packages.get("fastify@5.0.0")).toMatchObject({
      name: "fastify",
      version: "5.0.0",
      integrity: "sha512-fastify",
      links: { "other-name": "peer@1.0.0", "native-linux": "native-linux@1.0.0" },
    });
    expect(members.get("apps/server")).toEqual({
      "@chest/core": { member: "packages/core" },
      fastify: { key: "fastify@5.0.0" },
    });
    expect(members.get("packages/core")).toEqual({ zod: { key: "zod@4.0.0(peer@1.0.0)" } });
  });

  it("names other binaries on another platform", () => {
    const { packages } = needed({ "apps/server": {} }, { os: "win32", cpu: "x64", libc: undefined });
    expect(packages.has("native-win@1.0.0")).toBe(true);
    expect(packages.has("native-linux@1.0.0")).toBe(false);
    const musl = needed({ "apps/server": {} }, { ...LINUX, libc: "musl" });
    expect(musl.packages.has("native-linux@1.0.0")).toBe(false);
  });

  it("takes of a member what is asked for", () => {
    expect([
      ...needed({ "apps/server": { names: ["typescript"], kinds: ["devDependencies"] } }).packages.keys(),
    ]).toEqual(["typescript@5.9.3"]);
  });

  it("refuses a package without a checksum", () => {
    const lockfile = readLockfile(
      LOCKFILE.replace("{integrity: sha512-fastify}", "{tarball: https://example.org/f.tgz}"),
    );
    expect(() => neededBy(lockfile, { "apps/server": {} }, LINUX)).toThrow("fastify@5.0.0 has no checksum");
  });

  it("of this repository is read whole: every package of the backend has a checksum and a snapshot", () => {
    const lockfile = readLockfile(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8"));
    const { packages } = neededBy(lockfile, { "apps/server": {}, "deploy/bundle": {} });
    expect(packages.size).toBeGreaterThan(200);
    for (const { key, integrity, links } of packages.values()) {
      expect([key, integrity]).toEqual([key, expect.stringMatching(/^sha512-[\w+/]+=*$/)]);
      for (const target of Object.values(links)) expect(packages.has(target)).toBe(true);
    }
  });
});
