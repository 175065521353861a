import manifest from "../package.json" with { type: "json" };

/** The version of this release: all packages have the same. */
export const RELEASE: string = manifest.version;
