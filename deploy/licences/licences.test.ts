import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPermissive, judge, runtimePackages } from "./licences.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-licences-"));
  mkdirSync(join(root, "packages"));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(folder: string, manifest: object) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, "package.json"), JSON.stringify(manifest));
}

/** A package as pnpm installs it, linked into what needs it. */
function install(manifest: { readonly name: string; readonly version: string }, ...into: string[]) {
  const place = `node_modules/.pnpm/${manifest.name.replace("/", "+")}@${manifest.version}/node_modules/${manifest.name}`;
  put(place, manifest);
  for (const folder of into) {
    const link = join(root, folder, "node_modules", manifest.name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, place), link);
  }
  return place;
}

describe("the packages that Chest runs with", () => {
  it("are those that its own need, and what those need; not what builds and tests need", () => {
    put("apps/app", {
      name: "app",
      dependencies: { ours: "workspace:*", "@acme/direct": "1" },
      optionalDependencies: { absent: "1" },
      devDependencies: { tool: "1" },
    });
    put("packages/ours", { name: "ours" });
    symlinkOurs();
    const direct = install(
      { name: "@acme/direct", version: "1.0.0", license: "MIT", dependencies: { deep: "1", "left-out": "1" } } as never,
      "apps/app",
    );
    install({ name: "deep", version: "2.0.0", licenses: [{ type: "GPL-3.0-only" }] } as never, direct);
    install({ name: "tool", version: "1.0.0", license: "GPL-3.0-only" } as never, "apps/app");
    put("packages/testing", { name: "testing", dependencies: { tool: "1" } });

    expect(runtimePackages(root)).toEqual([
      { name: "@acme/direct", version: "1.0.0", licence: "MIT" },
      { name: "deep", version: "2.0.0", licence: "GPL-3.0-only" },
    ]);
  });

  it("are not known where they are not installed", () => {
    put("apps/app", { name: "app", dependencies: { gone: "1" } });
    expect(() => runtimePackages(root)).toThrow("app needs gone, which is not installed");
  });
});

const symlinkOurs = () => {
  mkdirSync(join(root, "apps/app/node_modules"), { recursive: true });
  symlinkSync(join(root, "packages/ours"), join(root, "apps/app/node_modules/ours"));
};

describe("a licence", () => {
  it.each(["MIT", "isc", "BSD-3-Clause", "0BSD", "Unlicense", "(MIT OR GPL-3.0-only)", "MIT AND Apache-2.0"])(
    "is permissive: %s",
    (licence) => expect(isPermissive(licence)).toBe(true),
  );
  it.each(["LGPL-3.0-or-later", "MIT AND GPL-2.0-only", "SEE LICENSE IN LICENSE.md", "none", "BUSL-1.1", "MIT-like"])(
    "is not permissive: %s",
    (licence) => expect(isPermissive(licence)).toBe(false),
  );

  it("that is not permissive is allowed as it is listed, with a reason", () => {
    const libvips = { name: "@img/sharp-libvips-linux-x64", version: "1.0.0", licence: "LGPL-3.0-or-later" };
    const listed = (over: object = {}) => ({
      "@img/sharp-libvips-*": { licence: "LGPL-3.0-or-later", reason: "a library of its own", ...over },
    });
    const isAllowed = (exceptions: ReturnType<typeof listed>) => judge([libvips], exceptions)[0]?.isAllowed;
    expect(judge([libvips], listed())).toEqual([{ ...libvips, reason: "a library of its own", isAllowed: true }]);
    expect(isAllowed(listed({ reason: " " }))).toBe(false);
    expect(isAllowed(listed({ licence: "MIT" }))).toBe(false);
    expect(judge([{ ...libvips, name: "other" }], listed())[0]?.isAllowed).toBe(false);
  });
});
