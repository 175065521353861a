import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone this launcher lies in, wherever it was called from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Folder in which the launcher keeps its notes between starts; it goes together with the installed packages. */
export const WORK_DIR = join(ROOT, "node_modules/.chest");

/** The Node that runs everything but the launcher. */
export const NODE_24 = join(ROOT, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
