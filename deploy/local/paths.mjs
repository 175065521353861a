import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The clone this launcher lies in, wherever it was called from. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** What the launcher remembers between starts; gone together with what was installed. */
export const WORK_DIR = join(ROOT, "node_modules/.chest");

/** The Node that runs everything but the launcher. */
export const NODE_24 = join(ROOT, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
