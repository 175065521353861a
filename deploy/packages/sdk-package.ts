import type { About } from "./about.ts";

interface SourceManifest {
  readonly name: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly publishConfig: { readonly access: string; readonly exports: object };
}

/** Manifest of the typed client as npm has it: JavaScript and declarations in place of sources. */
export function sdkManifest(
  { version, license, keywords }: About,
  { name, description, dependencies, publishConfig: { access, exports } }: SourceManifest,
  versionOf: (name: string) => string,
) {
  return {
    ...{ name, version, description, keywords, license },
    type: "module",
    engines: { node: ">=20" },
    exports,
    files: ["dist"],
    publishConfig: { access },
    dependencies: Object.fromEntries(Object.keys(dependencies).map((each) => [each, versionOf(each)])),
  };
}
