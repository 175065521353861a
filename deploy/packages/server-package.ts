import type { About } from "./about.ts";

/** Manifest of the backend's package: bundles, and the driver with a binary in it. */
export function serverManifest(
  { version, license, keywords }: About,
  root: { readonly description: string },
  versionOf: (name: string) => string,
) {
  return {
    name: "chest-memory-server",
    version,
    description: `${root.description}: the backend, with its page and documentation`,
    keywords,
    license,
    type: "module",
    // better-sqlite3 crashes on Node 20.
    engines: { node: ">=24" },
    bin: { "chest-memory-server": "chest-memory-server.js" },
    files: ["chest-memory-server.js", "server", "web"],
    publishConfig: { access: "public" },
    dependencies: { "better-sqlite3": versionOf("better-sqlite3") },
    peerDependencies: { "@huggingface/transformers": "^4.3.0" },
    peerDependenciesMeta: { "@huggingface/transformers": { optional: true } },
  };
}
