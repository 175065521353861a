import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { throwIfInterrupted } from "../child.mjs";
import { INSTALLING_CONNECTIONS } from "../registry.mjs";
import { neededBy, readLockfile } from "./lockfile.mjs";
import { unpack } from "./unpack.mjs";

/**
 * Files that no bundle is made of: types, maps, texts, sources of binaries, second forms of modules. They are two thirds of
 * all, and each costs a file system more than its bytes.
 */
const UNUSED = new RegExp(
  [
    String.raw`\.(?:[cm]?tsx?|map|md|markdown|flow|c|cc|cpp|h|hpp|gypi?|yml)$`,
    String.raw`(?:^|/)(?:\.|__tests__/|tests?/|benchmarks?/|(?:changelog|readme)$)`,
    "^(?:deps|docs?|examples?|build/esnext|dist/cjs|umd)/",
  ].join("|"),
  "i",
);

/**
 * Packages in a workspace as pnpm lays them out, by its lockfile, each fetched once, with the files that are used.
 * @param npm from `openNpm`
 */
export function packagesOf(workspace, npm) {
  const lockfile = readLockfile(readFileSync(join(workspace, "pnpm-lock.yaml"), "utf8"));
  const made = new Set();
  const folderOf = ({ key, name, version }) => {
    const peers = key.slice(`${name}@${version}`.length);
    const suffix = peers && `_${createHash("sha256").update(peers).digest("hex").slice(0, 10)}`;
    return join(workspace, "node_modules/.pnpm", `${name.replace("/", "+")}@${version}${suffix}`, "node_modules");
  };

  return {
    /**
     * Fetches what members need and links it.
     * @param roots as in `neededBy`
     * @param onPackage called for each package that is there
     */
    async add(roots, onPackage = () => {}) {
      const { packages, members } = neededBy(lockfile, roots);
      const due = [...packages.values()].filter(({ key }) => !made.has(key));
      const fetchNext = async () => {
        for (let next = due.shift(); next; next = due.shift()) {
          throwIfInterrupted();
          const folder = join(folderOf(next), next.name);
          mkdirSync(folder, { recursive: true });
          await unpack(await npm.download(next), folder, (path) => !UNUSED.test(path));
          made.add(next.key);
          onPackage();
        }
      };
      const stopOthers = (error) => {
        due.length = 0;
        throw error;
      };
      const ended = await Promise.allSettled(
        Array.from({ length: INSTALLING_CONNECTIONS }, () => fetchNext().catch(stopOthers)),
      );
      const failed = ended.find(({ status }) => status === "rejected");
      if (failed) throw failed.reason;
      const packageAt = (key) => join(folderOf(packages.get(key)), packages.get(key).name);
      for (const found of packages.values()) {
        for (const [name, key] of Object.entries(found.links)) link(packageAt(key), join(folderOf(found), name));
        // Packages that a manifest forgets are found here, as in pnpm's own installation.
        link(packageAt(found.key), join(workspace, "node_modules/.pnpm/node_modules", found.name));
      }
      for (const [member, links] of members)
        for (const [name, target] of Object.entries(links)) {
          const to = target.key ? packageAt(target.key) : join(workspace, target.member);
          link(to, join(workspace, member, "node_modules", name));
        }
    },
  };
}

/** On Windows a junction, which needs no administrator. */
function link(target, path) {
  try {
    symlinkSync(target, path, "junction");
  } catch (error) {
    if (error.code === "EEXIST") return;
    if (error.code !== "ENOENT") throw error;
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "junction");
  }
}
