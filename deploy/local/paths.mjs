import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone this launcher lies in, wherever it was called from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Folder in which the launcher keeps its notes between starts; it goes together with the installed packages. */
export const WORK_DIR = join(ROOT, "node_modules/.chest");

/** Folder of a build, gone when the build ends. Not below `node_modules`, where Node strips no types. */
export const BUILD_DIR = join(ROOT, ".launcher");

/** Packages that the bundles load from beside them: what is native cannot be in a bundle. */
export const BESIDE_DIR = join(ROOT, "apps/node_modules");

const NODE = process.platform === "win32" ? "node.exe" : "node";

/** Node among the packages of developers. */
export const DEVELOPERS_NODE = join(ROOT, "node_modules/node/bin", NODE);

/** The Node that runs everything but the launcher: a link to one that is installed, or one that was fetched. */
export const NODE_24 = join(WORK_DIR, "node", NODE);

/** Whether the machine's own Node runs what is written for Node 24; the launcher itself runs on 20. */
export const isNodeNewEnough = Number(process.versions.node.split(".")[0]) >= 24;

/** Whether the packages of developers are installed here: they are then kept up to date and never removed. */
export const hasDevelopersPackages = () => existsSync(join(ROOT, "node_modules/vitest"));
